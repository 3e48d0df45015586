"""Files that are written whole or not at all: under another name, then renamed."""
import os
import pathlib
import tempfile


def write(path, content):
    """A file that was there keeps its rights. Where the disk is full, the error names the file."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".whole-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.chmod(name, path.stat().st_mode & 0o7777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError) and error.filename in (None, name):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
# SPDX-License-Identifier: MIT

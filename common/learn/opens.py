"""Tells at once that a file has been opened, by whomever: Linux's inotify (inotify(7)), which Python's library does not have."""
import ctypes
import os

IN_OPEN = 0x20  # <sys/inotify.h>


class Opens:
    """The times that the file is opened from now on. Where the system cannot tell, none is seen."""

    def __init__(self, path):
        self.descriptor = -1
        try:
            library = ctypes.CDLL(None, use_errno=True)
            self.descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            if self.descriptor >= 0 and library.inotify_add_watch(self.descriptor, os.fsencode(path), IN_OPEN) < 0:
                self.close()
        except (OSError, AttributeError):
            self.close()

    def descriptors(self):
        """What can be read as soon as there is one: a list of none or one."""
        return [self.descriptor] if self.descriptor >= 0 else []

    def take(self):
        """Whether there was one since the last call."""
        try:
            return self.descriptor >= 0 and bool(os.read(self.descriptor, 65536))
        except BlockingIOError:
            return False

    def close(self):
        if self.descriptor >= 0:
            os.close(self.descriptor)
        self.descriptor = -1
# SPDX-License-Identifier: MIT

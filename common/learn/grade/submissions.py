"""Finds submissions: FOLDER/STUDENT/02.cuh, FOLDER/STUDENT/02_shared_memory.cuh or FOLDER/STUDENT/02_shared_memory/kernels.cuh.

If there is only one chapter (`--chapter 02`), also FOLDER/STUDENT.cuh and FOLDER/STUDENT/kernels.cuh. Whatever does not fit is
named in one line. A link is not followed: it may lead anywhere.
"""
import dataclasses
import os
import stat

LARGEST = 256 << 10  # bytes of a submission; the longest solution has a tenth of it
ENDING = ".cuh"
FILE = "kernels.cuh"


@dataclasses.dataclass
class Submission:
    student: str
    chapter: object  # learn.chapter.Chapter
    path: str


class Unreadable(Exception):
    """A submission that is not judged; the message says why."""


def is_hidden(name):
    """What file managers and git leave behind."""
    return name.startswith(".") or name in ("__MACOSX", "Thumbs.db", "desktop.ini")


def listed(folder):
    with os.scandir(folder) as entries:
        return sorted((entry for entry in entries if not is_hidden(entry.name)), key=lambda entry: entry.name)


class Finder:
    def __init__(self, chapters, only=None):
        """only: the chapter that all files belong to whose name says nothing else."""
        self.chapters, self.only, self.found, self.complaints = chapters, only, {}, []

    def complain(self, path, why):
        self.complaints.append(f"{path}: {why}")

    def chapter_of(self, name):
        """The chapter that a file or folder is named after, or None."""
        return next((chapter for chapter in self.chapters if name in (chapter.stem, chapter.number)), None)

    def add(self, student, chapter, path):
        if self.only and chapter is not self.only:
            self.complain(path, f"of chapter {chapter.number}, but only {self.only.number} is graded")
        elif (student, chapter.number) in self.found:
            other = self.found[student, chapter.number].path
            self.complain(path, f"{student} has submitted chapter {chapter.number} already; {other} is graded")
        else:
            self.found[student, chapter.number] = Submission(student, chapter, path)

    def look_into(self, folder):
        """A folder with a file or a folder for each student."""
        for entry in listed(folder):
            name, ending = os.path.splitext(entry.name)
            if entry.is_symlink():
                self.complain(entry.path, "it is a link, and links are not followed")
            elif entry.is_dir():
                self.look_into_student(entry.path, entry.name)
            elif self.only and ending == ENDING:
                self.add(name, self.only, entry.path)
            else:
                self.complain(entry.path, f"expected a folder for each student{'' if self.only else ', or --chapter NN'}")

    def look_into_student(self, folder, student):
        before = len(self.found) + len(self.complaints)
        for entry in listed(folder):
            name, ending = os.path.splitext(entry.name)
            chapter = self.chapter_of(name if ending == ENDING else entry.name)
            if entry.is_symlink() and not (ending == ENDING and chapter):
                self.complain(entry.path, "it is a link, and links are not followed")
            elif chapter and entry.is_dir(follow_symlinks=False):
                self.look_into_chapter(entry.path, student, chapter)
            elif chapter and ending == ENDING:
                self.add(student, chapter, entry.path)
            elif self.only and entry.name == FILE:
                self.add(student, self.only, entry.path)
            else:
                one = self.only or self.chapters[0]
                others = "" if self.only else ", and so on"
                self.complain(entry.path, f"names no chapter; expected {one.number}.cuh, {one.stem}.cuh or "
                                          f"{one.stem}/{FILE}{others}")
        if len(self.found) + len(self.complaints) == before:
            self.complain(folder, "no submission is in it")

    def look_into_chapter(self, folder, student, chapter):
        entries = listed(folder)
        for entry in entries:
            if entry.name == FILE:
                self.add(student, chapter, entry.path)
            else:
                self.complain(entry.path, f"only {FILE} is graded")
        if not entries:
            self.complain(folder, f"{FILE} is missing")


def content_of(path):
    """The bytes of a submission; raises Unreadable."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        why = "it is a link, and links are not followed" if os.path.islink(path) else error.strerror
        raise Unreadable(why) from None
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("it is not a plain file")
        if status.st_size > LARGEST:
            raise Unreadable(f"it has {status.st_size:,} bytes; at most {LARGEST:,} are read")
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Unreadable(f"it has more than {LARGEST:,} bytes")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"line {line} is not UTF-8: save the file in that encoding") from None
    return content
# SPDX-License-Identifier: MIT

"""Run one command under limits and write down what it used: `launch.py REPORT CPU_SECONDS MEGABYTES COMMAND...`

A process of its own, with next to no imports: a child's peak memory starts from the memory of the process that forks
it, and a full Python program would hide the small children that are measured here.
"""

import posix
import resource
import sys
import time


def run(cpu_seconds: int, megabytes: int, command: list[str]) -> tuple[int, float, float, int]:
    """Exit code, wall seconds, CPU seconds of the child and the descendants it waited for, peak memory."""
    begin = time.perf_counter()
    pid = posix.fork()
    if pid == 0:
        execute(cpu_seconds, megabytes, command)
    _, status, used = posix.wait4(pid, 0)
    wall = time.perf_counter() - begin
    return posix.waitstatus_to_exitcode(status), wall, used.ru_utime + used.ru_stime, used.ru_maxrss


def execute(cpu_seconds: int, megabytes: int, command: list[str]) -> None:
    """Become the command; never returns."""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 2))  # a signal, then the end
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        posix.execve(command[0], command, posix.environ)
    except OSError as error:
        posix.write(2, f"{command[0]}: {error}\n".encode())
    finally:
        posix._exit(127)


if __name__ == "__main__":
    usage = run(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
    with open(sys.argv[1], "w") as report:
        print(*usage, file=report)

"""Runs a command several times, each in a process of its own, and prints the median of its CPU seconds and the peak of
its memory in MB: measured.py TIMES COMMAND..."""

import os
import statistics
import subprocess
import sys


def main():
    times, command = int(sys.argv[1]), sys.argv[2:]
    seconds, megabytes = [], 0.0
    for _ in range(times):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        seconds.append(usage.ru_utime + usage.ru_stime)
        megabytes = max(megabytes, usage.ru_maxrss / 1024)
    print(statistics.median(seconds), megabytes)


main()

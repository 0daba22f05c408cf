"""How every worker of `tensorvet fuzz` answers: it is put before the worker itself.

Promises: questions are answered by a child of the process that imported the framework, where there are such; one that
dies is told of and replaced at once, since importing a framework takes longer than running hundreds of models.
"""

import json
import os
import signal
import sys

# Whatever the framework prints goes elsewhere: the answers have the way out for themselves.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def answer(value):
    ANSWERS.write(json.dumps(value) + "\n")
    ANSWERS.flush()


def serve(respond):
    """Has every line in responded to."""
    if not sys.platform.startswith("linux"):
        respond_to_all(respond)
        return
    import ctypes

    while True:
        parent = os.getpid()
        child = os.fork()
        if child == 0:
            # A child that hangs ends with its parent (PR_SET_PDEATHSIG), which is the one that is killed.
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
            if os.getppid() == parent:
                answer({"pid": os.getpid()})
                respond_to_all(respond)
            os._exit(0)
        status = outcome(child)
        if status == 0:
            return
        answer({"died": ended(status)})


def outcome(child):
    """How the child ended. It answers to nobody once whoever asks is gone, so it may not stay then, hang as it may."""
    import select

    try:
        process = os.pidfd_open(child)
    except (AttributeError, OSError):  # An older Python or system waits for the child alone.
        return os.waitpid(child, 0)[1]
    ends = select.poll()
    ends.register(process, select.POLLIN)
    ends.register(0, 0)
    is_gone = all(end != process for end, _ in ends.poll())
    if is_gone:
        # A child that does not hang ends by itself, since there are no more questions.
        ends.unregister(0)
        if not ends.poll(GRACE):
            os.kill(child, signal.SIGKILL)
    os.close(process)
    status = os.waitpid(child, 0)[1]
    return 0 if is_gone else status


# Milliseconds in which a child without questions ends.
GRACE = 5000


def respond_to_all(respond):
    for line in sys.stdin:
        respond(json.loads(line))


def ended(status):
    if os.WIFEXITED(status):
        return f"exit status: {os.WEXITSTATUS(status)}"
    number = os.WTERMSIG(status)
    return f"signal: {number} ({signal.Signals(number).name})"



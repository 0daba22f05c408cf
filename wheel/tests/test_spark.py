"""A standalone master and two workers on loopback; one of them is killed half-way."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

import nets
import pyspark
import tensorvet
import tensorvet.spark
from pyspark.sql import SparkSession

HOME = pathlib.Path(pyspark.__file__).parent
# Workers run the Python of this test.
os.environ["PYSPARK_PYTHON"] = sys.executable


def started(kind, *arguments):
    """A part of the cluster, and its address once it says it."""
    environment = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [str(HOME / "bin/spark-class"), f"org.apache.spark.deploy.{kind}", "--host", "127.0.0.1", *arguments]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    said = []
    for line in process.stdout:
        said.append(line)
        if address := re.search(r"(Starting Spark master at|Successfully registered with master) (spark://\S+)", line):
            # What else it says is read, so that it never waits for a reader.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return process, address[2]
    raise RuntimeError("".join(said))


def kill_half_way(spark, victim):
    """Kills a worker once a quarter of the tasks of a stage are done, or after two minutes."""
    tracker = spark.sparkContext.statusTracker()
    for _ in range(1200):
        stages = (tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds())
        if any(stage and 10 <= stage.numCompletedTasks < stage.numTasks for stage in stages):
            break
        time.sleep(0.1)
    os.killpg(victim.pid, signal.SIGKILL)


class Cluster(unittest.TestCase):
    def setUp(self):
        self.parts = []
        master, address = started("master.Master", "--port", "0", "--webui-port", "0")
        self.parts.append(master)
        for _ in range(2):
            worker, _ = started("worker.Worker", "--cores", "1", "--memory", "1g", "--webui-port", "0", address)
            self.parts.append(worker)
        self.spark = (
            SparkSession.builder.master(address)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.executor.memory", "512m")
            .config("spark.executor.cores", "1")
            .config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", ""))
            .config("spark.ui.enabled", "false")
            .getOrCreate()
        )

    def tearDown(self):
        self.spark.stop()
        for part in self.parts:
            try:
                os.killpg(part.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            part.wait()

    def test_results_are_those_of_one_machine_although_a_worker_dies(self):
        with nets.folder() as folder:
            path = pathlib.Path(folder, "net.py::Net")
            space = {**nets.SPACE, "parameters": {**nets.SPACE["parameters"], "rate": "1..200"}}
            # A hyper-parameter that means nothing to the network makes the space larger.
            source = pathlib.Path(folder, "net.py")
            source.write_text(nets.SOURCE.replace("heads=2):", "heads=2, rate=1):"))
            here = tensorvet.Model(path, space).table().to_pylist()
            frame = tensorvet.spark.sweep(self.spark, path, space, shards=40)
            victim = self.parts[-1]
            killer = threading.Thread(target=kill_half_way, args=(self.spark, victim))

            def slowly(parts):
                import time

                for part in parts:
                    time.sleep(0.3)
                    yield part

            # Tasks take a while, so that the worker dies in the middle of them.
            slow = frame.mapInArrow(slowly, frame.schema)
            killer.start()
            there = [row.asDict() for row in slow.collect()]
            killer.join()
            self.assertEqual(victim.wait(10), -signal.SIGKILL)
            order = lambda row: tuple(str(value) for value in row.values())
            self.assertEqual(sorted(there, key=order), sorted(here, key=order))


if __name__ == "__main__":
    unittest.main()

import itertools
import pathlib
import time
import unittest

import nets
import tensorvet


class Judging(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = nets.folder()
        cls.model = tensorvet.Model(pathlib.Path(cls.folder.name, "net.py::Net"), nets.SPACE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def vectors(self):
        domains = self.model.space.domains
        for values in itertools.product(*domains.values()):
            yield dict(zip(domains, values))

    def test_spaces_may_be_larger_than_any_length(self):
        numbers = {f"n{number}": f"1..{10**4}" for number in range(6)}
        space = tensorvet.Space({"parameters": numbers})
        self.assertEqual(space.size, 10**24)
        self.assertTrue(space)

    def test_every_vector_is_judged_as_pytorch_would(self):
        for vector in self.vectors():
            verdict = self.model.is_valid(vector)
            # A stride beyond the kernel works, and is told apart.
            self.assertEqual(verdict.state in ("valid", "improper"), nets.works(**vector), (vector, verdict))

    def test_what_fails_is_told_with_the_values_that_clash(self):
        why = self.model.why({"kernel": 3, "stride": 1, "width": 8, "heads": 3, "size": 16})
        self.assertIn("net.py", why)
        self.assertIn("heads=3", why)
        self.assertNotIn("kernel=", why)
        self.assertIsNone(self.model.why({"kernel": 3, "stride": 1, "width": 8, "heads": 2, "size": 16}))

    def test_the_census_counts_what_the_vectors_are(self):
        census = self.model.census()
        valid = sum(nets.works(**vector) for vector in self.vectors())
        self.assertEqual((census["valid"], census["total"]), (valid, len(self.model)))
        self.assertEqual(sum(cause["count"] for cause in census["causes"]), census["invalid"])
        for cause in census["causes"]:
            self.assertFalse(self.model.is_valid(cause["example"]))

    def test_tables_hold_every_vector_once(self):
        table = self.model.table()
        self.assertEqual(table.num_rows, len(self.model))
        for row in table.to_pylist():
            state, why = row.pop("verdict"), row.pop("why")
            self.assertEqual(state in ("valid", "improper"), nets.works(**row))
            self.assertEqual(why is None, state == "valid")
        parts = [self.model.table(*self.model.shard(number, 7)) for number in range(7)]
        self.assertEqual(sum((part.to_pylist() for part in parts), []), table.to_pylist())

    def test_another_process_compiles_it_again(self):
        import pickle

        again = pickle.loads(pickle.dumps(self.model))
        self.assertEqual(again.census(), self.model.census())

    def test_what_is_wrong_is_told(self):
        with self.assertRaisesRegex(ValueError, "kernal"):
            self.model.is_valid({"kernal": 3})
        with self.assertRaisesRegex(ValueError, "never 77"):
            self.model.is_valid({"kernel": 77})
        with self.assertRaisesRegex(ValueError, "no values"):
            tensorvet.Space({"kernel": []})
        with self.assertRaisesRegex(TypeError, "object"):
            self.model.is_valid({"kernel": object()})

    def test_a_verdict_takes_microseconds(self):
        vectors = list(self.vectors())
        start = time.process_time()
        for vector in vectors:
            self.model.is_valid(vector)
        # Told, not judged: how fast a machine is depends on who else uses it.
        print(f"is_valid: {(time.process_time() - start) / len(vectors) * 1e6:.2f} microseconds")


class Importing(unittest.TestCase):
    def test_no_framework_is_imported(self):
        import subprocess
        import sys

        code = "import tensorvet, sys; sys.exit(any(name in sys.modules for name in ('torch', 'tensorflow', 'keras')))"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)


if __name__ == "__main__":
    unittest.main()

"""`fuhyo tune` as its users run it, on the toy: what a kill leaves behind, and who may use a state."""


from server_case import ServerCase, run_tests
from waiting import eventually


class Tune(ServerCase):
    def setUp(self):
        super().setUp()
        self.state = self.folder / "toy.state"

    def words(self, games):
        return "tune", "--toy", "--games", games, "--state", self.state, "--save-every", "0"

    def test_a_state_is_one_tunings_at_a_time_and_outlives_a_kill(self):
        first = self.start(self.program, *self.words(1_000_000_000))
        eventually(self.state.exists, "a state")
        self.expect(66, "toy.state: another process works with it", *self.words(100))
        first.kill()
        first.wait()
        self.expect(0, "going on from", *self.words(2))

    def test_asks_for_what_is_missing(self):
        file = self.folder / "x.params"
        file.write_text("X,int,5,0,10,1,0.002\n", encoding="ascii")
        for words, said in ([], "how many games?"), (["--games", "2"], "which engine?"), (
                ["--games", "2", "-e", "engine"], "how long may the engine think?"):
            self.expect(64, said, "tune", file, *words)

    def test_an_engine_has_as_long_to_start_as_the_flags_say(self):
        file = self.folder / "x.params"
        file.write_text("X,int,5,0,10,1,0.002\n", encoding="ascii")
        for mode, said in ("deaf", "no usiok within 1000 ms"), ("unready", "no readyok within 2000 ms"):
            self.expect(1, said, "tune", file, "--games", 2, "-e", f"'{self.fake}' {mode}", "--tc", "nodes=1",
                        "--usiok-timeout", 1, "--readyok-timeout", 2)


if __name__ == "__main__":
    run_tests("fake")

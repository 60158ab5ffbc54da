"""What is asserted of a case: of the log that the program wrote, and of what was heard, each by the score and by the other."""
import csv
import dataclasses
import re

import sound

# The emulated HDA drops so many frames when its host stalls: the card's doing, and known by the distance.
SWALLOWED_FRAMES = 2048
# A click is looked for so far from where the one before puts it: further than what is swallowed.
REACH_FRAMES = 3000
# Distances between clicks are the score's to 5 ms: dmix moves its pointer by 21 ms, USB and aloop by 1 to 4 ms, and for the
# first bars no clock is known well. How far they are off is in the table. Times in a log are exact.
TOLERANCE_FRAMES = 240
EXACT_SECONDS = 1e-6
# A click that sounds alone for less than this is known only together with the next one.
SHORTEST_FRAMES = sound.RATE // 500


@dataclasses.dataclass
class Row:
    """A row of the timing log."""

    index: int
    nominal: float
    flags: list
    # When it was heard, by the system's clock; none if it is lost.
    heard: float | None = None

    @property
    def is_lost(self):
        return "lost" in self.flags


def read_log(text):
    """The rows of a timing log."""
    rows = csv.DictReader(text.splitlines())
    return [Row(int(row["index"]), float(row["nominal_s"]), row["flags"].split(),
                float(row["heard_s"]) if row["heard_s"] else None) for row in rows]


@dataclasses.dataclass
class Due:
    """A click that should be heard, by its name in messages, its time, and its sound."""

    name: str
    seconds: float
    click: sound.Click

    @property
    def frame(self):
        return self.seconds * sound.RATE


@dataclasses.dataclass
class Outcome:
    """What came of a run, or of several."""

    expected: int = 0
    heard: int = 0
    # Boundaries that the log calls lost, and clicks that were not heard although it does not.
    lost: int = 0
    untold: int = 0
    late: int = 0
    xruns: int = 0
    # How often the card swallowed samples, and clicks within them: counted, and not held against the program.
    swallowed: int = 0
    swallowed_clicks: int = 0
    # By how much the distance between two clicks was off at most, in ms.
    farthest_ms: float = 0
    problems: list = dataclasses.field(default_factory=list)

    def fail(self, problem):
        self.problems.append(problem)

    def add(self, other):
        for field in dataclasses.fields(self):
            mine, its = getattr(self, field.name), getattr(other, field.name)
            setattr(self, field.name, max(mine, its) if field.name == "farthest_ms" else mine + its)


def take_exit(status, complained, outcome, expected=0):
    """Takes in how the program ended."""
    if status.strip() != str(expected):
        outcome.fail(f"exit status {status.strip() or 'unknown'}: {complained.strip()[-300:]}")


def take_summary(said, rows, outcome):
    """Takes in how often the program says that the card ran dry; what it adds up to is what the log has."""
    bars = re.search(r"^bars +(\d+), heard (\d+), lost (\d+), late (\d+)", said, re.MULTILINE)
    card = re.search(r"(\d+) xruns?\b", said)
    if not bars or not card:
        return outcome.fail("there is no summary")
    outcome.xruns = int(card.group(1))
    lost = sum(row.is_lost for row in rows)
    if [int(number) for number in bars.groups()[:3]] != [len(rows), len(rows) - lost, lost]:
        outcome.fail(f"the log has {len(rows)} bars, {lost} of them lost; the summary: {bars.group(0)}")


def take_rows(rows, outcome, may_lose=()):
    """Counts what the log tells. Only bars in `may_lose` may be lost."""
    for row in rows:
        outcome.late += "late" in row.flags
        outcome.lost += row.is_lost
        if row.is_lost and row.index not in may_lose:
            outcome.fail(f"bar {row.index} is lost, says the log")


def check_played_through(rows, durations, outcome):
    """The log has every bar, in order, as far apart as the score has them."""
    if [row.index for row in rows] != list(range(1, len(durations) + 1)):
        outcome.fail(f"the log has the bars {[row.index for row in rows]} and not all {len(durations)} in order")
        return
    for row, following in zip(rows, rows[1:]):
        if abs(following.nominal - row.nominal - durations[row.index - 1]) > EXACT_SECONDS:
            outcome.fail(f"bar {following.index} has its place {following.nominal - row.nominal} s after the bar before")


def check_commands(rows, durations, outcome, targets=None, pauses=0, pause_s=0, speeds=(1,)):
    """The log has the piece as commands have made it: each bar is followed by the next one, after its duration at one of
    the `speeds`, which come in this order; or by one of `targets`, for each jump by the bars that it may go to; or
    later by at least `pause_s` where the music stood still."""
    targets, speeds = list(targets or []), list(speeds)
    for row, following in zip(rows, rows[1:]):
        time, bar = following.nominal - row.nominal, durations[row.index - 1]
        told = f"bar {following.index} comes {time:.3f} s after bar {row.index} of {bar} s"
        if "jump" in following.flags:
            if not targets or following.index not in targets.pop(0)(row.index) or time > bar / speeds[0] + EXACT_SECONDS:
                outcome.fail(told + " by a jump")
            continue
        if following.index != row.index + 1:
            outcome.fail(told)
        elif "resumed" in following.flags:
            pauses -= 1
            if time < bar / speeds[0] + pause_s:
                outcome.fail(told + " and a pause")
        elif abs(time - bar / speeds[0]) > EXACT_SECONDS:
            # The speed has changed within the bar.
            bounds = sorted(bar / speed for speed in speeds[:2])
            if len(speeds) < 2 or not bounds[0] - EXACT_SECONDS <= time <= bounds[1] + EXACT_SECONDS:
                outcome.fail(told + f" at speed {speeds[0]}")
            speeds = speeds[1:] or speeds
    if not rows or rows[0].index != 1 or rows[-1].index != len(durations):
        outcome.fail(f"the log has the bars {[row.index for row in rows]}")
    if targets or pauses or len(speeds) > 1:
        outcome.fail(f"the log lacks {len(targets)} jumps, {pauses} pauses and {len(speeds) - 1} changes of speed")


def place(dues, heard, told=()):
    """By how many frames a recording lies later than the dues: where most of them are, by distance and by sound, and fewest
    of those that the log calls lost."""
    def fit(offset):
        return sum(
            -0.5 if due.name in told else 1 for due in dues for click in heard
            if abs(click.frame - due.frame - offset) <= TOLERANCE_FRAMES
            and sound.difference(click, due.click) < sound.WHOLE)
    return max((click.frame - due.frame for due in dues for click in heard), key=fit, default=0)


def listen(dues, heard, outcome, told=(), swallows=False):
    """Compares what should be heard with what was. `told` are names of what the log calls lost; of what is in there nothing
    may be heard. A card that `swallows` may do so."""
    outcome.expected += len(dues)
    offset = place(dues, heard, told)
    left, last, missing = list(heard), None, []
    # The newest sound, and the click that it began with.
    current, first = None, None

    def lose():
        for due in missing:
            if due.name not in told:
                outcome.untold += 1
                outcome.fail(f"{due.name} was not heard, and the log does not say so")
        missing.clear()

    for due, following in zip(dues, [*dues[1:], None]):
        within = int(due.frame + offset - current.frame) if current else 0
        if current and within < len(current.whole):
            # The one before still sounded.
            begin, rest = sound.inside(current, first.click, due.click, within, TOLERANCE_FRAMES)
            if rest < sound.WHOLE:
                outcome.heard += 1
                outcome.farthest_ms = max(outcome.farthest_ms, abs(begin - within) / sound.RATE * 1000)
                continue
        near = min(left, key=lambda click: abs(click.frame - due.frame - offset), default=None)
        if near is None or abs(near.frame - due.frame - offset) >= REACH_FRAMES:
            missing.append(due)
            continue
        left.remove(near)
        current, first = near, due
        offset = near.frame - due.frame
        step = 0 if last is None else offset - last
        last = offset
        if swallows and abs(abs(step) - SWALLOWED_FRAMES) <= TOLERANCE_FRAMES:
            outcome.swallowed += 1
            outcome.swallowed_clicks += len(missing)
            missing.clear()
        else:
            lose()
            outcome.farthest_ms = max(outcome.farthest_ms, abs(step) / sound.RATE * 1000)
            if abs(step) > TOLERANCE_FRAMES:
                outcome.fail(f"{due.name} is {step / sound.RATE * 1000:+.1f} ms off its distance from the click before")
        alone = sound.SHAPE_FRAMES if following is None else int(following.frame - due.frame)
        if alone < SHORTEST_FRAMES:
            # Too little of it sounds alone: nothing may be left of both when each is taken away.
            _, rest = sound.inside(near, due.click, following.click, alone, TOLERANCE_FRAMES)
        else:
            rest = sound.difference(near, due.click, min(alone, sound.SHAPE_FRAMES))
        if rest < sound.WHOLE:
            outcome.heard += 1
        else:
            outcome.fail(f"{due.name} is torn, or another sound: {rest:.2f} of its energy is not its own")
        if due.name in told:
            outcome.fail(f"{due.name} was heard, and the log calls it lost")
    lose()
    if left:
        times = [round(click.frame / sound.RATE, 3) for click in left]
        outcome.fail(f"{len(left)} sounds too many, {times} s into the recording")


# --- MIDI

# Types of events of ALSA's sequencer.
NOTE_ON, NOTE_OFF, PROGRAM, SONG_POSITION, QUARTER_FRAME, START, CONTINUE, STOP, CLOCK, SYSEX = \
    6, 7, 11, 20, 22, 30, 31, 32, 36, 130
# What is queued is in time to this, from the second bar on: in the first, the card's clock is being learnt.
MIDI_TOLERANCE = 0.1e-3


def midi_events(text):
    """When each recorded event was due, in s, its type, and its numbers."""
    events = [[int(number) for number in line.split()] for line in text.splitlines()]
    return [(due * 1e-9, kind, numbers) for arrived, due, kind, *numbers in events]


def check_clock(queued, piece, outcome):
    """MIDI clock comes only between start or continue and stop, and its ticks are as far apart as the score has them.
    Returns the number of the first tick of each run, and the one after its last."""
    runs, position, ticks = [], 0, None
    for due, kind, numbers in queued:
        if kind == CLOCK and ticks is None:
            outcome.fail("there is a tick of MIDI clock while the machines are stopped")
        elif kind == CLOCK:
            ticks.append(due)
        elif kind == SONG_POSITION:
            position = 6 * numbers[2]
        elif kind in (START, CONTINUE):
            position, ticks = 0 if kind == START else position, []
        elif kind == STOP and ticks:
            begins = [due - piece.seconds((position + n) / 24) for n, due in enumerate(ticks)]
            apart = (max(begins) - min(begins)) * 1e3
            outcome.farthest_ms = max(outcome.farthest_ms, apart)
            if apart > MIDI_TOLERANCE * 2e3:
                outcome.fail(f"ticks are {apart:.3f} ms off")
            runs.append((position, position + len(ticks)))
            ticks = None
    if ticks is not None:
        outcome.fail("nothing stops the machines at the end")
    return runs


def check_midi(text, rows, piece, outcome):
    """What was recorded of MIDI has everything of the piece, in order, queued for the moments at which the log says that the
    bars were heard. Returns how late each event arrived, in s."""
    queued = midi_events(text)
    # The recorder measures the clock of the queue again and again, so moments that are equal may differ by some µs.
    if any(before > after + MIDI_TOLERANCE / 2 for (before, *_), (after, *_) in zip(queued, queued[1:])):
        outcome.fail("MIDI messages are out of order")
    ticks = [due for due, kind, _ in queued if kind == CLOCK]
    course = [kind for _, kind, _ in queued if kind in (START, CONTINUE, STOP, SONG_POSITION)]
    if course != [START, STOP] or len(ticks) != 24 * sum(piece.quarters):
        outcome.fail(f"{len(ticks)} ticks of MIDI clock, with {course}")
        return []
    # The log counts from a moment that it does not tell.
    begins = [24 * sum(piece.quarters[:n]) for n in range(len(piece.quarters))]
    origins = [ticks[begin] - row.heard for begin, row in zip(begins, rows) if row.heard is not None][1:]
    if not origins:
        outcome.fail("no bar of the log was heard")
        return []
    origin = sum(origins) / len(origins)
    begin = origin + rows[-1].heard - rows[-1].nominal
    apart = {"a bar": max(abs(each - origin) for each in origins)}
    apart["a tick"] = max(abs(due - begin - piece.seconds(n / 24)) for n, due in enumerate(ticks) if n >= begins[1])
    nibbles, codes = [], []
    for due, kind, numbers in queued:
        if kind != QUARTER_FRAME:
            continue
        part, nibble = numbers[2] >> 4, numbers[2] & 15
        if part == 0:
            nibbles, at = [], due
        if part != len(nibbles):
            outcome.fail(f"quarter frame {part} comes after {len(nibbles)} others")
            return []
        nibbles.append(nibble)
        if part == 7:
            frames, seconds, minutes, hours = (nibbles[n] + (nibbles[n + 1] << 4) for n in (0, 2, 4, 6))
            # 25 frames per second; the piece begins at one o'clock.
            film = 3600 * ((hours & 31) - 1) + 60 * minutes + seconds + frames / 25
            codes.append((at, film, hours >> 5))
    length = sum(piece.durations)
    if abs(len(codes) - length * 12.5) > 2 or {rate for *_, rate in codes} != {1}:
        outcome.fail(f"{len(codes)} timecodes in {length:.1f} s")
    apart["a timecode"] = max((abs(at - begin - film) for at, film, _ in codes if film > piece.durations[0]), default=1)
    if not any(kind == SYSEX and numbers[5:9] == [0x21, 0, 0, 0] for _, kind, numbers in queued):
        outcome.fail("no whole timecode tells where the piece begins")
    notes = [(due, kind, numbers) for due, kind, numbers in queued if kind in (NOTE_ON, NOTE_OFF, PROGRAM)]
    if [(kind, numbers[0]) for _, kind, numbers in notes] != [(NOTE_ON, 9), (NOTE_OFF, 9), (PROGRAM, 1)]:
        outcome.fail(f"the messages of the score arrive as {notes}")
    else:
        bars = [ticks[begins[1]], ticks[begins[2]], ticks[begins[2]]]
        apart["a message"] = max(abs(due - bar) for (due, *_), bar in zip(notes, bars))
    outcome.farthest_ms = max(apart.values()) * 1e3
    for what, seconds in apart.items():
        if seconds > MIDI_TOLERANCE:
            outcome.fail(f"{what} is queued {seconds * 1e3:.3f} ms from its moment")
    arrived = [int(line.split()[0]) * 1e-9 for line in text.splitlines()]
    return [at - due for at, (due, *_) in zip(arrived, queued)]

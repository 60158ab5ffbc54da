"""Clicks in recordings: where each begins, and whether it is whole."""
import dataclasses
import wave

import numpy

RATE, FRAME_BYTES = 48000, 4
# What is louder than this is no silence; clicks peak at half of full scale.
AUDIBLE = 0.02
# So long has to be silent before a click, and so much of one is compared.
QUIET_FRAMES, SHAPE_FRAMES = RATE // 50, RATE // 40
# What is left when a click is taken from its recording, of its energy: under 0.03 wherever between two frames it begins;
# over 0.06 where its first 2 ms are missing, or all after its first 8 ms (its first 12 ms, for the bell of a line).
WHOLE = 0.06
# An onset is found to so many frames.
ONSET_FRAMES = 2


@dataclasses.dataclass
class Click:
    """A sound between silences."""

    frame: int
    shape: numpy.ndarray


def read_wav(path):
    """The 16-bit stereo frames of a file."""
    with wave.open(path, "rb") as file:
        return file.readframes(file.getnframes())


def samples(data):
    """The first channel of 16-bit stereo frames, full scale 1."""
    return numpy.frombuffer(data[: len(data) // FRAME_BYTES * FRAME_BYTES], "<i2")[::2].astype(numpy.float64) / 32768


def clicks(sound):
    """All sounds, in order: each begins after 20 ms of silence."""
    loud = numpy.flatnonzero(abs(sound) > AUDIBLE)
    begins = loud[numpy.insert(numpy.diff(loud) > QUIET_FRAMES, 0, True)] if len(loud) else loud
    padded = numpy.concatenate([sound, numpy.zeros(SHAPE_FRAMES)])
    return [Click(int(frame), padded[frame:][:SHAPE_FRAMES]) for frame in begins]


def difference(heard, click):
    """What is left of a click's energy when it is taken from what was heard, 0 for the same, where both lie best."""
    def left(shift):
        moved = numpy.roll(heard.shape, shift)[ONSET_FRAMES:-ONSET_FRAMES] - click.shape[ONSET_FRAMES:-ONSET_FRAMES]
        return float(moved @ moved) / float(click.shape @ click.shape)
    return min(left(shift) for shift in range(-ONSET_FRAMES, ONSET_FRAMES + 1))


def write_wav(path, data):
    """Writes 16-bit stereo frames into a file."""
    with wave.open(path, "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", None))
        file.writeframes(data)

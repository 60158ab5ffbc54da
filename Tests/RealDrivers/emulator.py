"""The emulated machine: a process of qemu, a shell in it, and its monitor."""
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time

# Nothing but a hang takes so many seconds.
HANG = 300
# Bytes before the samples of a WAV file.
HEADER = 44


class Hang(Exception):
    """The machine did not answer."""


class Channel:
    """A line to the machine over a socket of qemu's."""

    def __init__(self, path, process):
        self.socket = socket.socket(socket.AF_UNIX)
        begin = time.monotonic()
        while True:
            try:
                self.socket.connect(path)
                break
            except OSError:
                if process.poll() is not None or time.monotonic() - begin > HANG:
                    raise Hang(f"qemu does not start (exit status {process.poll()}): see qemu.log")
                time.sleep(0.05)
        self.waiting = b""

    def send(self, text):
        self.socket.sendall(text.encode())

    def read(self, end, purpose):
        """Everything up to what a regular expression matches; the match, and what came before it."""
        begin = time.monotonic()
        while not (match := re.search(end, self.waiting)):
            self.socket.settimeout(max(HANG - (time.monotonic() - begin), 0.001))
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                raise Hang(f"waited {HANG} s for the machine to {purpose}")
            if not data:
                raise Hang(f"the machine went off when it was to {purpose}")
            self.waiting += data
        before = self.waiting[: match.start()].decode(errors="replace")
        self.waiting = self.waiting[match.end():]
        return match, before


class Emulator:
    """A running machine with an HDA card and a USB card."""

    def __init__(self, folder, kernel, initial, processors):
        """Boots. What comes of it lies in `folder`; `processors` are qemu's options for them."""
        self.folder = folder
        self.results = self.place("cases")
        os.makedirs(self.results)
        self.marks = {}
        # Whether the USB card is there.
        self.is_plugged = True
        # The path of a socket is short.
        self.sockets = tempfile.mkdtemp()
        begin = time.monotonic()
        with open(self.place("qemu.log"), "wb") as log:
            self.process = subprocess.Popen(
                ["qemu-system-x86_64", *processors, *self.options(kernel, initial)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self.monitor = Channel(self.sockets + "/monitor", self.process)
            self.tell("qmp_capabilities")
            self.shell = Channel(self.sockets + "/shell", self.process)
            self.shell.read(rb"ready\r?\n", "boot")
        except Hang:
            self.end()
            raise
        self.boot_seconds = time.monotonic() - begin

    def options(self, kernel, initial):
        def recorder(name):
            return ["-audiodev", f"wav,id={name},path={self.recording(name)},"
                    "out.frequency=48000,out.channels=2,out.format=s16"]
        return [
            "-m", "768", "-nodefaults", "-no-reboot", "-display", "none",
            "-kernel", kernel, "-initrd", initial, "-append", "console=ttyS0 quiet panic=-1 mitigations=off",
            "-serial", "file:" + self.place("kernel.log"),
            # Stops where the machine asks for it: `host` in `play`.
            "-device", "pvpanic", "-action", "panic=pause",
            "-qmp", f"unix:{self.sockets}/monitor,server=on,wait=off",
            "-device", "virtio-serial-pci", "-chardev", f"socket,id=shell,path={self.sockets}/shell,server=on,wait=off",
            "-device", "virtconsole,chardev=shell",
            "-virtfs", f"local,path={self.results},mount_tag=results,security_model=none",
            # Without mixer=off all is silent.
            *recorder("hda"), "-device", "intel-hda", "-device", "hda-output,audiodev=hda,mixer=off",
            *recorder("usb"), "-device", "qemu-xhci,id=xhci", "-device", "usb-audio,audiodev=usb,id=usb-card,bus=xhci.0",
        ]

    def place(self, name):
        return os.path.join(self.folder, name)

    def recording(self, card):
        return self.place(card + ".wav")

    def ask(self, command, actions={}):
        """Has the machine's shell carry out a line; its exit status and what it printed. `actions` holds what is done when
        the machine calls `host`, by name."""
        self.shell.send(command + "\n")
        said = ""
        while True:
            match, before = self.shell.read(rb"([\x1d\x1e])(\S+)\r?\n", f"carry out: {command}")
            said += before
            if match.group(1) == b"\x1e":
                return int(match.group(2)), said
            self.monitor.read(rb'"event": "STOP".*\r\n', f"stand still for {match.group(2)}")
            actions[match.group(2).decode()]()
            self.tell("cont")

    def tell(self, command, **arguments):
        """Gives qemu's monitor a command. Events that come before its answer are passed over."""
        self.monitor.send(json.dumps({"execute": command, "arguments": arguments}))
        answer, _ = self.monitor.read(rb'\{"(return|error)".*\r\n', f"carry out {command} {arguments}")
        if answer.group(1) == b"error":
            raise Hang(f"qemu refuses {command}: {answer.group(0).decode()}")

    def mark(self, card):
        """From here on the next recording of a card counts."""
        self.marks[card] = os.path.getsize(self.recording(card))

    def recorded(self, card):
        """What a card has played since `mark`, as 16-bit stereo frames."""
        with open(self.recording(card), "rb") as file:
            file.seek(max(self.marks[card], HEADER))
            return file.read()

    def unplug(self):
        """Takes the USB card away. Returns what it has played since `mark`: only now that is whole."""
        self.tell("device_del", id="usb-card")
        self.is_plugged = False
        played = self.recorded("usb")
        self.mark("usb")
        return played

    def plug(self):
        """Puts the USB card back. Its recording begins anew."""
        self.tell("device_add", driver="usb-audio", audiodev="usb", id="usb-card", bus="xhci.0")
        self.is_plugged = True
        self.marks["usb"] = 0

    def end(self):
        """Switches the machine off."""
        if self.process.poll() is None:
            try:
                self.shell.send("poweroff -f\n")
                self.process.wait(60)
            except (AttributeError, OSError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.sockets, ignore_errors=True)

"""What the emulated machine boots: Debian's kernel, and an initial file system with the program that is tested."""
import lzma
import os
import re
import shutil
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# The drivers with their options, in the order in which they are loaded; modprobe names what each needs.
# Cards are numbered, so that `default` is the HDA card.
DRIVERS = [
    ("virtio_pci", ""), ("virtio_console", ""), ("9pnet_virtio", ""), ("9p", ""),
    ("snd-hda-codec-generic", ""), ("snd-hda-intel", "index=0 id=HDA"),
    ("snd-aloop", "index=1 id=Loopback pcm_substreams=1"), ("snd-dummy", "index=2 id=Dummy"),
    ("xhci-pci", ""), ("snd-usb-audio", "index=3 id=USB"),
    ("snd-seq", ""), ("snd-hrtimer", ""), ("snd-virmidi", "index=4 id=VirMIDI midi_devs=1"),
]
# Programs that the cases need, beside busybox: ALSA's player and recorder, and a terminal for the stand.
PROGRAMS = ["/usr/bin/aplay", "/usr/bin/arecord", "/usr/bin/script"]


class NoKernel(Exception):
    """The kernel cannot be downloaded here."""


def kernel(folder):
    """Unpacks Debian's current kernel into `folder`, where it stays; nothing is installed. Returns the unpacked package."""
    asked = subprocess.run(["apt-cache", "depends", "linux-image-amd64"], capture_output=True, text=True)
    package = re.search(r"Depends: (linux-image-\S+)", asked.stdout)
    if not package:
        raise NoKernel("apt knows no package linux-image-amd64")
    root = os.path.join(folder, package.group(1))
    if os.path.exists(root):
        return root
    packed, unpacked = os.path.join(folder, "packed"), root + ".new"
    for path in (packed, unpacked):
        shutil.rmtree(path, ignore_errors=True)
    os.makedirs(packed)
    print(f"Downloading {package.group(1)}", flush=True)
    got = subprocess.run(["apt-get", "download", "-qq", package.group(1)], cwd=packed, capture_output=True, text=True)
    if got.returncode != 0:
        raise NoKernel(f"{package.group(1)} cannot be downloaded: {got.stderr.strip()}")
    subprocess.run(["dpkg-deb", "-x", os.path.join(packed, os.listdir(packed)[0]), unpacked], check=True)
    shutil.rmtree(packed)
    subprocess.run(["/sbin/depmod", "-b", unpacked, version(unpacked)], check=True)
    os.rename(unpacked, root)
    return root


def version(root):
    return os.listdir(os.path.join(root, "lib/modules"))[0]


def image(root):
    """The kernel, unpacked here if it is packed by xz, as Debian's is: the emulated machine would take seconds for that. Linux's
    Documentation/x86/boot.rst says where in the file it lies."""
    packed, path = (os.path.join(root, "boot", name) for name in ("vmlinuz-" + version(root), "vmlinux"))
    if os.path.exists(path):
        return path
    with open(packed, "rb") as file:
        data = file.read()
    offset, length = struct.unpack_from("<II", data, 0x248)
    start = 512 * ((data[0x1F1] or 4) + 1) + offset
    if not data.startswith(b"\xfd7zXZ\0", start):
        return packed
    with open(path + ".new", "wb") as file:
        file.write(lzma.LZMADecompressor().decompress(data[start : start + length]))
    os.rename(path + ".new", path)
    return path


def modules(root):
    """The path of every module that is to be loaded, in order, and its options."""
    found = {}
    for name, options in DRIVERS:
        asked = subprocess.run(
            ["/sbin/modprobe", "-d", root, "-S", version(root), "--show-depends", name],
            capture_output=True, text=True, check=True)
        needed = [line.split()[1] for line in asked.stdout.splitlines() if line.startswith("insmod")]
        for path in needed:
            found.setdefault(path, options if path == needed[-1] else "")
    return found.items()


def libraries(program):
    """The shared libraries of a program, the loader included."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"(/\S+) \(0x", listed)


def pack(path, root, program):
    """Writes the initial file system: busybox, drivers, ALSA's configuration, and the programs in /bin."""
    tree = path + ".tree"
    shutil.rmtree(tree, ignore_errors=True)
    for place in ("bin", "dev", "proc", "sys", "etc", "drivers", "usr/share"):
        os.makedirs(os.path.join(tree, place))
    shutil.copy("/bin/busybox", os.path.join(tree, "bin"))
    for name in ("init", "play"):
        shutil.copy(os.path.join(HERE, name), tree)
    shutil.copytree("/usr/share/alsa", os.path.join(tree, "usr/share/alsa"), symlinks=True)
    # dmix asks for the group 'audio'.
    shutil.copy("/etc/group", os.path.join(tree, "etc"))
    with open(os.path.join(tree, "modules"), "w") as file:
        for module, options in modules(root):
            shutil.copy(module, os.path.join(tree, "drivers"))
            file.write(f"/drivers/{os.path.basename(module)} {options}\n")
    recorder = os.path.join(os.path.dirname(path), "recorder")
    subprocess.run(["clang", "-O2", "-o", recorder, os.path.join(HERE, "recorder.c"), "-lasound"], check=True)
    for each in [program, recorder, *PROGRAMS]:
        # Without symbols there is less to unpack.
        subprocess.run(["strip", "-o", os.path.join(tree, "bin", os.path.basename(each)), each], check=True)
        for library in libraries(each):
            place = os.path.join(tree, os.path.dirname(library).lstrip("/"))
            os.makedirs(place, exist_ok=True)
            shutil.copy(library, place)
    names = subprocess.run(["find", "."], cwd=tree, capture_output=True, check=True).stdout
    with open(path, "wb") as file:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=tree, input=names, stdout=file, check=True)
    shutil.rmtree(tree)

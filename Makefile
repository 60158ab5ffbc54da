# make play   installs what is missing, builds, and plays Sequenza VII   (make play ARGS='--to 1.13 --speed 80%')
# make test   installs what is missing, and runs every check and test

PLAY_PACKAGES = libasound2-dev libsndfile1-dev libtag1-dev libsamplerate0-dev libexpat1-dev libyaml-dev zlib1g-dev libsystemd-dev libwebsockets-dev libqrencode4 pkg-config
# The tests are built with the first; the others are only needed to run them, and are installed during the build.
TEST_BUILD_PACKAGES = libltc-dev
TEST_PACKAGES = alsa-utils python3-mutagen python3-mido python3-venv dbus-daemon dunst playerctl xvfb espeak-ng tmux zsh fish nodejs chromium chromium-driver firefox-esr
# Python with independent readers of the files that Barline writes.
TEST_PYTHON = .build/python/bin/python
# Python with what makes the site.
SITE_PYTHON = .build/site-python/bin/python
SCORE ?= sequenza-vii
ARGS ?=
# How many mutated scores, and the seed.
FUZZ ?= 1000000 1
# Packs the relocations, which are all read at the start, into a twentieth of their size: saves 1 MB of memory. Needs glibc
# 2.36 or later.
PACKED := $(shell lld="$$(dirname "$$(readlink -f "$$(command -v swift)")")/ld.lld"; \
  [ -x "$$lld" ] && [ "$$(printf '%s\n' 2.36 "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -V | head -1)" = 2.36 ] && \
  echo -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
# All builds but that of `make play` share these flags and one folder, so that each source is compiled once: for the program,
# its tests, and what measures it. Checks such as that of overflow stay on. Debug information would take the compiler a tenth
# more.
BUILD = -c release $(PACKED) -debug-info-format none
SWIFT_RELEASE = swift build $(BUILD) --product
# For `make play` alone: Swift that is not optimized is there in half of the time, and what makes the sound is C. Where there is
# a program that was built for speed, that one is brought up to date and played.
QUICK = .build/quick
SWIFT_QUICK = swift build $(BUILD) --scratch-path $(QUICK) -Xswiftc -Onone -Xswiftc -no-whole-module-optimization -Xswiftc -enable-batch-mode --product

# Programs with which the speed of rendering is compared.
BENCH_PACKAGES = klick sox csound

# Linux's own sound drivers in an emulator: how often each card is started, on which machines, which cases, BARLINE_LOG.
VM_PACKAGES = qemu-system-x86 busybox-static cpio kmod binutils alsa-utils python3-numpy
N ?= 20
MACHINES ?= 125 62
ONLY ?=
LOG ?=
OPTIONAL ?=

# For `make package-life`: a clean Debian, and Debian's own checks.
PACKAGE_PACKAGES = mmdebstrap lintian desktop-file-utils appstream

# Where `make install` puts it, and the date that all installed files get: with one date, two builds give the same bytes.
PREFIX ?= /usr/local
DESTDIR ?=
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
export SOURCE_DATE_EPOCH

# Tests and measurements read the English texts of the program.
test unit-test test-computing test-programs test-hostile sanitize fuzz oracle mutants coverage vm sound-servers package-life archive archive-life confusion: export LC_ALL = C.UTF-8
bench-timing bench-serve bench-keys bench-follow bench-render bench-formats bench-page bench-ensemble bench-listen bench-tune bench-moment pictures recording site stage: export LC_ALL = C.UTF-8

.PHONY: install uninstall stage deb archive archive-life release package-life vm install-vm-packages install-package-packages sound-servers play build build-tests checks clean-debians test unit-test test-computing test-programs test-hostile sanitize fuzz oracle mutants coverage lint format docs site api pictures recording clean bench-timing bench-serve bench-keys bench-follow bench-render bench-formats bench-page bench-ensemble bench-listen bench-tune bench-moment confusion install-packages install-test-build-packages install-test-packages swift-is-here

play: install-packages
	@if [ -x .build/release/barline ]; then built=.build; $(SWIFT_RELEASE) barline; else built=$(QUICK); $(SWIFT_QUICK) barline; fi && \
	  $$built/release/barline play $(SCORE) $(ARGS)

build: install-packages
	@$(SWIFT_RELEASE) barline

# The program, and all that tests it.
build-tests: install-test-build-packages
	swift build --build-tests $(BUILD)

# The program, man pages, completions for bash, zsh and fish, a desktop entry, docs and examples: below PREFIX.
install: stage
	@FROM=.build/stage packaging/install '$(DESTDIR)$(PREFIX)'

uninstall:
	@packaging/install --remove '$(DESTDIR)$(PREFIX)'

stage: build
	@$(call install,python3 binutils)
	@packaging/stage .build/release/barline .build/stage

# A Debian package: .build/deb/barline_VERSION_ARCHITECTURE.deb
deb: stage
	@$(call install,dpkg-dev)
	@packaging/deb .build/stage .build/deb

# A folder that runs where it is unpacked, on Debian 12 and 13 and others: .build/archive/barline-VERSION-x86_64.tar.gz
archive: stage
	@$(call install,libwebsockets17)
	@packaging/archive .build/stage .build/archive

# Tries the archive on clean Debians 12 and 13, where they can be made.
archive-life: archive
	@$(call install,$(PACKAGE_PACKAGES))
	@OPTIONAL=$(OPTIONAL) Tests/Package/archive ".build/archive/barline-$$(.build/stage/bin/barline --version)-$$(uname -m).tar.gz"

# From a tag: tests, then the source, the package, the archive and checksums in .build/dist.
release:
	@packaging/release .build/dist

# Installs, upgrades and removes the package on a clean Debian, where one can be made.
package-life: deb
	@$(call install,$(PACKAGE_PACKAGES))
	@OPTIONAL=$(OPTIONAL) Tests/Package/run .build/stage \
	  ".build/deb/barline_$$(.build/stage/bin/barline --version)_$$(dpkg --print-architecture).deb"

# Modules that need each other are built one after the other, so a processor is often free: what needs no build runs meanwhile.
test: install-test-build-packages
	@$(MAKE) --no-print-directory --jobs=2 checks build-tests
	@$(MAKE) --no-print-directory unit-test

checks: install-packages
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target lint sanitize $(TEST_PYTHON)

# Three runs side by side: tests that compute, tests that start programs or play in real time, and hostile scores. Tests that
# start programs wait for what happens, and not for a time, so the others may keep the processors busy. They start the program as
# users get it. BESIDE="vm" runs more beside them.
BESIDE ?=
TESTS = .build/release/barlinePackageTests.xctest --testing-library swift-testing
unit-test: build-tests install-test-packages $(TEST_PYTHON)
	@$(MAKE) --no-print-directory --jobs=$(words 1 2 3 $(BESIDE)) test-computing test-programs test-hostile $(BESIDE)

test-computing:
	$(TESTS) --skip 'BarlineCLITests|ApplicationTests.LiveTests'

test-programs:
	$(TESTS) --filter 'BarlineCLITests|ApplicationTests.LiveTests'

test-hostile:
	.build/release/FuzzScores 20000

# Lists which lines the tests run, in the modules where a mistake would be heard or read. BarlineCLITests do not count. The
# package manager instruments only Swift, so C needs flags.
COVERAGE_BUILD = --scratch-path .build/coverage -Xswiftc -O -Xcc -O2 -Xcc -fprofile-instr-generate -Xcc -fcoverage-mapping
coverage: install-test-packages $(TEST_PYTHON)
	@# Without this, programs that the build starts would write their profiles into the folder of the sources.
	LLVM_PROFILE_FILE=$(CURDIR)/.build/coverage/others.profraw swift test --enable-code-coverage $(COVERAGE_BUILD) --skip BarlineCLITests
	@Tests/coverage .build/coverage Scores Timing Formats Running CDrone

# How fast sound is rendered, compared with other programs in Debian.
bench-render: build
	@$(call install,$(BENCH_PACKAGES))
	@Benchmarks/render

# How similar the click sounds are: the table in docs/sound.md.
confusion: build
	@$(call install,python3-numpy)
	@/usr/bin/python3 Benchmarks/confusion

# Plays through PulseAudio, PipeWire and JACK, where they can be installed. STRICT= skips the checks that depend on machine
# load.
STRICT ?= 1
sound-servers: build
	STRICT=$(STRICT) Tests/SoundServers/run

# Through Linux's own sound drivers, in an emulator: Tests/RealDrivers/README.md. N=3 MACHINES=125 is quicker.
vm: build install-vm-packages
	@Tests/RealDrivers/run $(MACHINES) --starts $(N) --only '$(ONLY)' --log '$(LOG)' $(if $(OPTIONAL),--optional)

install-package-packages:
	@$(call install,$(PACKAGE_PACKAGES))

# The clean Debians for package-life and archive-life, which are kept for a day.
clean-debians: install-package-packages
	@Tests/Package/debian bookworm && Tests/Package/debian trixie || [ -n '$(OPTIONAL)' ]

install-vm-packages:
	@$(call install,$(VM_PACKAGES))
	@apt-cache show linux-image-amd64 > /dev/null 2>&1 || packaging/apt update

# CDrone's audio path under the thread, address, undefined-behavior and real-time sanitizers.
sanitize: install-packages
	Tests/Sanitizers/run

# A million mutated scores: no crash, no broken law, at most 256 MB, every format written and read back.
fuzz: swift-is-here
	$(SWIFT_RELEASE) FuzzScores
	.build/release/FuzzScores $(FUZZ)

# How long it takes to read and write 5000 lines or bars of each format.
bench-formats: build
	@$(call install,python3)
	Benchmarks/formats .build/release/barline

# Every bench for a moment: shows that its commands succeed and write what they should. Its figures mean nothing.
bench-moment: install-packages $(TEST_PYTHON)
	@$(call install,python3-numpy python3-aubio fluidsynth fluid-soundfont-gm pulseaudio pulseaudio-utils libasound2-plugins)
	@$(SWIFT_RELEASE) barline
	@$(SWIFT_RELEASE) bench-tune
	@$(SWIFT_RELEASE) SimulatedCard
	@$(SWIFT_RELEASE) bench-timing
	Benchmarks/render 3 1
	Benchmarks/formats .build/release/barline 100 1
	/usr/bin/python3 Benchmarks/confusion
	.build/release/bench-timing moment
	/usr/bin/python3 Benchmarks/Tune/bench .build/release 3 1
	/usr/bin/python3 Benchmarks/keys .build/release 1
	$(TEST_PYTHON) Benchmarks/Page/flashes .build/release 0.1
	$(TEST_PYTHON) Benchmarks/Page/sound .build/release 0.2
	$(TEST_PYTHON) Benchmarks/Page/ensemble .build/release 0.3

# How well `barline listen` hears: 300 made takes, in about ten minutes. FEWER=5 makes a fifth of them.
FEWER ?= 1
bench-listen: install-packages
	@$(call install,python3-numpy fluidsynth fluid-soundfont-gm)
	@$(SWIFT_RELEASE) barline
	/usr/bin/python3 Benchmarks/Listen/bench .build/release/barline $(FEWER)

# How well pitch is heard, beside aubio; NOTES=10 makes fewer notes of each instrument.
NOTES ?= 60
bench-tune: install-packages
	@$(call install,python3-numpy python3-aubio fluidsynth fluid-soundfont-gm)
	@$(SWIFT_RELEASE) barline
	@$(SWIFT_RELEASE) bench-tune
	/usr/bin/python3 Benchmarks/Tune/bench .build/release $(NOTES)

# How exactly pages flash and click in time with the player: two browsers, a simulated card, a null sink of PulseAudio.
bench-page: install-packages $(TEST_PYTHON)
	@$(call install,pulseaudio pulseaudio-utils libasound2-plugins)
	@$(SWIFT_RELEASE) barline
	@$(SWIFT_RELEASE) SimulatedCard
	$(TEST_PYTHON) Benchmarks/Page/flashes .build/release 2
	$(TEST_PYTHON) Benchmarks/Page/sound .build/release $(MINUTES)

# Four players with a page each and two followers, in networks that are cut, slow, and holes. Ten minutes; MINUTES=1 is
# quicker.
bench-ensemble: install-packages $(TEST_PYTHON)
	@$(SWIFT_RELEASE) barline
	$(TEST_PYTHON) Benchmarks/Page/ensemble .build/release $(MINUTES)

# A thousand starts (STARTS) and six thousand random commands in simulated time, on cards of every kind and without one: every
# click that must sound has sounded, nothing else has, and the log and the screens are true. COMMANDS="100000 7" runs 100 000
# of them, from seed 7 on. As many more are of plays that begin at a time of day, and of a leader, whom such a card follows over
# a network. Then one play of six hours, through slews of the clock, suspends and unplugged cards, in which the process must
# not grow.
STARTS ?= 1000
COMMANDS ?= 6000
HOURS ?= 6
oracle: install-packages
	@$(SWIFT_RELEASE) SimulatedCard
	@$(SWIFT_RELEASE) oracle
	.build/release/oracle starts $(STARTS)
	.build/release/oracle $(COMMANDS)
	.build/release/oracle at $(COMMANDS)
	.build/release/oracle follow $(COMMANDS)
	.build/release/oracle hours $(HOURS)

# Makes small changes in the sources where a mistake would be heard, and lists those that no test notices:
# Tests/Mutants/README.md. N=20 in each part is quicker; PARTS="Timing CDrone" chooses parts.
SEED ?= 1
mutants: N = 100
mutants: install-test-packages $(TEST_PYTHON)
	@Tests/Mutants/run --count $(N) --seed $(SEED) --parts '$(PARTS)' --only '$(ONLY)'

# Measures the timing on simulated cards in real time, for a quarter of an hour. MINUTES=1 is quicker; PARTS="start idle"
# chooses parts: start, steady, idle, commands, faults, unplugged, busy, hours, follow, serve.
MINUTES ?= 10
PARTS ?=
bench-timing: install-packages
	@$(call install,klick gtick xvfb jackd2)
	@$(SWIFT_RELEASE) barline
	@$(SWIFT_RELEASE) SimulatedCard
	@$(SWIFT_RELEASE) bench-timing
	.build/release/bench-timing $(MINUTES) $(PARTS)

# Measures a server with 250 pages, of which 50 never read: boundaries, processor, memory, descriptors. Five minutes.
bench-serve: MINUTES = 5
bench-serve: PARTS = serve
bench-serve: bench-timing

# Measures how long a key takes to become a command, also while 200 pages connect.
bench-keys: install-packages
	@$(call install,python3)
	@$(SWIFT_RELEASE) barline
	@$(SWIFT_RELEASE) SimulatedCard
	/usr/bin/python3 Benchmarks/keys .build/release

# Measures a follower and its leader in two network namespaces, with half a minute without network. Ten minutes, as root.
bench-follow: PARTS = follow
bench-follow: bench-timing

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Examples Benchmarks
	docs/modules --check
	docs/phrases --check
	docs/links
	packaging/need --check Makefile packaging/Dockerfile

format:
	swift format --in-place --recursive Package.swift Sources Tests Examples Benchmarks

# The documentation of the library Barline, with everything that it re-exports, as a static site: .build/docs. A warning is an
# error.
docs: install-packages
	swift build --target Barline $(BUILD)
	docs/build .build/release .build/docs

# The guides, the man pages, the library's documentation, the pictures, and Sequenza VII to try at once, as pages that open from
# the disk: .build/site/index.html. A dead link, an unknown word or an old picture is an error.
site: build docs $(SITE_PYTHON)
	docs/pictures/make --check .build/release/barline
	@$(call install,mandoc aspell aspell-en)
	@rm -rf .build/site-man
	@packaging/man .build/release/barline .build/site-man "$$(LC_ALL=C date -u -d @$(SOURCE_DATE_EPOCH) '+%B %-d, %Y')"
	$(SITE_PYTHON) docs/site/build .build/release/barline .build/site-man .build/docs/Barline.doccarchive .build/site
	docs/site/check .build/site
	docs/site/spelling .build/site

# Compares the public declarations of the libraries with those of the last release (the last tag).
api: install-packages
	packaging/api

# The pictures in the README, by the program that they show: the stand from the real output of a terminal, the phone by a
# browser. `make site` checks that they are up to date.
pictures: build $(TEST_PYTHON)
	$(TEST_PYTHON) docs/pictures/make .build/release/barline

# The picture of the stand alone.
recording: build
	@$(call install,python3)
	docs/recording/record

# Installs the packages for building and playing, and those that only the tests need, such as aplay for the simulated card.
install-packages: swift-is-here
	@$(call install,$(PLAY_PACKAGES))

install-test-build-packages: install-packages
	@$(call install,$(TEST_BUILD_PACKAGES))

install-test-packages: install-test-build-packages
	@$(call install,$(TEST_PACKAGES))

$(TEST_PYTHON): Tests/requirements.txt | install-test-packages
	@python3 -m venv .build/python
	@.build/python/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	@touch $@

$(SITE_PYTHON): docs/site/requirements.txt
	@$(call install,python3-venv)
	@python3 -m venv .build/site-python
	@.build/site-python/bin/pip install --quiet --disable-pip-version-check --requirement docs/site/requirements.txt
	@touch $@

swift-is-here:
	@command -v swift >/dev/null || { echo "Swift 6.2 or later is needed: https://www.swift.org/install" >&2; exit 1; }

# As root, or with sudo. Prints nothing if there is nothing to install.
install = packaging/need $(1)

clean:
	rm -rf .build

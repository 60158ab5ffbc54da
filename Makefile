# make play   installs what is missing, builds, and plays Sequenza VII   (make play ARGS='--to 1.13 --speed 80%')
# make test   installs what is missing, and passes every test

PLAY_PACKAGES = libasound2-dev libsndfile1-dev pkg-config
SCORE ?= sequenza-vii
ARGS ?=
# The Swift runtime goes into the program: it needs 8 MB less memory, and no Swift where it runs.
SWIFT_BUILD = swift build -c release --product barline --static-swift-stdlib

.PHONY: play build test unit-test sanitize lint format install-packages recording clean

play: build
	@.build/release/barline play $(SCORE) $(ARGS)

build: install-packages
	@$(SWIFT_BUILD)

test: install-packages lint sanitize unit-test

unit-test: install-packages
	swift build --build-tests
	swift test --skip-build

# CDrone's audio path under the thread, address, undefined-behaviour and real-time sanitizers.
sanitize: install-packages
	Tests/Sanitizers/run

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

format:
	swift format --in-place --recursive Package.swift Sources Tests

# The picture in the README: a terminal that plays, drawn from what it really showed.
recording: build
	@command -v python3 >/dev/null || { \
	  sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$sudo apt-get update -qq && $$sudo apt-get install -y -qq --no-install-recommends python3; }
	docs/recording/record

# As root, or by sudo; silent when there is nothing to install.
install-packages:
	@command -v swift >/dev/null || { echo "Swift 6.2 or later is needed: https://www.swift.org/install" >&2; exit 1; }
	@pkg-config --exists alsa sndfile 2>/dev/null || { \
	  sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  echo "Installing $(PLAY_PACKAGES)"; \
	  $$sudo apt-get update -qq && $$sudo apt-get install -y -qq --no-install-recommends $(PLAY_PACKAGES); }

clean:
	rm -rf .build

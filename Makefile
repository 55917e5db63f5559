# Debian packages, listed once: what the build needs, what the demonstration and the tests start.
BUILD_PACKAGES := libbluetooth-dev libcurl4-openssl-dev libdbus-1-dev libical-dev libmosquitto-dev libpq-dev libsqlite3-dev \
	libssl-dev libsystemd-dev libudev-dev libyaml-dev pkg-config
DEMO_PACKAGES  := curl mosquitto
# Services that the packages of the tests start aren't touched: the tests start their own.
TEST_PACKAGES  := binutils bluez bubblewrap busybox-static ckermit cpio curl dbus fonts-dejavu-core fonts-liberation gkermit \
	iproute2 man-db mosquitto mosquitto-clients openssl ppp postgresql prometheus python3-jsonschema python3-numpy \
	python3-pil python3-venv python3-yaml qemu-system-x86 systemd tesseract-ocr tesseract-ocr-deu tshark xz-utils zbar-tools
# Brokers beside mosquitto, likewise.
CLUSTER_PACKAGES := nats-server rabbitmq-server
# The page is tested in a browser, with an identity provider and behind proxies. Services that the packages start aren't
# touched.
BROWSER_PACKAGES := caddy chromium glewlwyd nginx-light
# The model of the delivery protocol is checked by spin, which makes C of it.
MODEL_PACKAGES := gcc libc6-dev spin
# The Debian packages are built, checked and installed in a root of their own with these.
DEB_PACKAGES := binutils debhelper lintian man-db mmdebstrap python3
# They are also installed in a virtual machine, with these.
MACHINE_PACKAGES := binutils busybox-static cpio e2fsprogs kmod mmdebstrap openssl qemu-system-x86 xz-utils

.PHONY: build release deb demo screenshot docs test test-all ci fuzz-corpus \
	bench-modules bench-page bench-dot bench-ingest bench-matching bench-contacts bench-publish bench-accuracy \
	bench-places \
	lint format scripts reference golden golden-captures clean packages test-packages

build: packages
	swift build

release: export BEACON_COMMIT = $(shell git describe --always --dirty --exclude '*' 2>/dev/null)
release: packages
	swift build -c release --product beacon-gateway --static-swift-stdlib

# The Debian packages, with an SBOM beside each, in .build/packages.
deb: packages
	@scripts/packages.sh $(DEB_PACKAGES)
	@scripts/deb.sh $(DEB_OPTIONS)

demo: packages
	@scripts/packages.sh $(DEMO_PACKAGES)
	swift build --product beacon-gateway
	swift build --product beacon-matcher
	@scripts/demo.sh

# The README's picture of the page; needs chromium.
screenshot: packages
	@scripts/packages.sh $(DEMO_PACKAGES) chromium python3-venv
	swift build --product beacon-gateway
	swift build --product beacon-matcher
	@scripts/screenshot.sh

# What every push has to pass. Phases, tiers and plans are in scripts/check.py.
test: test-packages
	@scripts/check.py test

# Everything, at full scale, with sanitizers and clusters of other brokers. Stopped, it goes on from there.
test-all: test-packages
	@scripts/packages.sh $(CLUSTER_PACKAGES) $(BROWSER_PACKAGES) $(MODEL_PACKAGES) $(DEB_PACKAGES) \
		$(MACHINE_PACKAGES)
	@scripts/check.py all

# What is run before a change lands. ThreadSanitizer (`make test-thread`) needs a build of its own, and is part of `make test-all`.
ci: test-packages
	@scripts/check.py ci

# A phase by itself, after the builds that it needs: `make test-delivery`, `make test-thread TEST_SCALE=100`.
test-%: test-packages
	@scripts/check.py $*

test-cluster: test-packages
	@scripts/packages.sh $(CLUSTER_PACKAGES)
	@scripts/check.py cluster

test-browser test-browser-postgresql: test-packages
	@scripts/packages.sh $(BROWSER_PACKAGES)
	@scripts/check.py $(@:test-%=%)

# Builds the Debian packages, and installs, upgrades, removes and purges them. `test-packages` is another target.
test-deb: test-packages
	@scripts/packages.sh $(DEB_PACKAGES)
	@scripts/check.py packages

# Builds the Debian packages, and has a machine with systemd live with them.
test-system-machine: test-packages
	@scripts/packages.sh $(DEB_PACKAGES) $(MACHINE_PACKAGES)
	@scripts/check.py system-machine

test-model:
	@scripts/packages.sh $(MODEL_PACKAGES)
	@scripts/check.py model

test-packages: packages
	@scripts/packages.sh $(TEST_PACKAGES)

# Writes Fuzz/Corpus anew; `make test-fuzz` fuzzes everything that parses what others send or wrote.
fuzz-corpus: packages
	@Fuzz/run.sh minimise

lint:
	@scripts/check.py lint

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks Fuzz

# Benchmarks are only built when they are asked for.
BENCHMARK := BEACON_BUILD=benchmarks swift build -c release --scratch-path .build/benchmarks --static-swift-stdlib

# How long modules take, and what looking after them costs.
bench-modules: release
	@scripts/packages.sh $(DEMO_PACKAGES)
	@Benchmarks/modules.sh .build/release/beacon-gateway

# How fast reports are decoded and followed: beside C, beside other decoders, in a flood, and in the whole program.
bench-ingest: release
	@scripts/packages.sh $(DEMO_PACKAGES)
	$(BENCHMARK) --product IngestBenchmark
	@Benchmarks/ingest.sh .build/benchmarks/release/IngestBenchmark .build/release/beacon-gateway

# How fast records go through the outbox to a broker, beside bare libmosquitto.
bench-publish: packages
	@scripts/packages.sh $(DEMO_PACKAGES)
	$(BENCHMARK) --product PublishBenchmark
	@Benchmarks/publish.sh .build/benchmarks/release/PublishBenchmark

# How fast interactions are stored and exposures are found, beside bare SQL, and how fast the whole program stores:
# INTERACTIONS=10000000 RECORDS=100000.
bench-matching: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	$(BENCHMARK) --product MatchingBenchmark
	swift build -c release --product beacon-matcher --static-swift-stdlib
	@Benchmarks/matching.sh .build/benchmarks/release/MatchingBenchmark
	@Benchmarks/matching_live.sh .build/benchmarks/release/MatchingBenchmark .build/release/beacon-matcher

# How fast the page answers with a large store, and what many browsers cost: PAGE_STORE=DIRECTORY keeps the store.
bench-page: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	swift build -c release --product beacon-matcher --static-swift-stdlib
	@Benchmarks/Page/measure.py .build/release/beacon-matcher

# How long it takes from a reading at a gateway until the dot on the map moves: RUNS=4 SECONDS=60 QUIET=0. The dot needs
# the environment of `make test-browser`.
bench-dot: packages
	@scripts/packages.sh $(TEST_PACKAGES) chromium
	swift build -c release --product beacon-gateway --static-swift-stdlib
	swift build -c release --product beacon-matcher --static-swift-stdlib
	@Benchmarks/Page/reading_to_dot.py .build/release/beacon-gateway .build/release/beacon-matcher

# How well contacts are found between people whose every step is known, at several shares of lost packets:
# CONTACTS='--world halls --seeds 1,2,3 --losses 60'. Without, all worlds, which takes half an hour.
CONTACTS ?= --world all --losses 0,60,90
bench-contacts: packages
	$(BENCHMARK) --product ContactsBenchmark
	@.build/benchmarks/release/ContactsBenchmark $(CONTACTS)

# How well distance, contact and presence are told, on recordings with ground truth: DATA is their directory. Without it
# nothing is measured.
DATA ?= ../shared/data
bench-accuracy: packages
	$(BENCHMARK) --product AccuracyBenchmark
	@.build/benchmarks/release/AccuracyBenchmark $(DATA)

# How well rooms and positions are told, on recordings in the format of docs/accuracy.md: DATA is their directory.
bench-places: packages
	$(BENCHMARK) --product PlacesBenchmark
	@.build/benchmarks/release/PlacesBenchmark $(DATA)

# Writes firmware-scripts/, the scripts for people without the gateway, anew.
scripts: packages
	swift build --product beacon-gateway
	.build/debug/beacon-gateway export-script --all --output-directory firmware-scripts

# Writes docs/guide/commands.md, the reference of all commands, anew from their help.
reference: packages
	swift build
	scripts/reference.py

# Writes the documentation of the libraries to .build/documentation, and checks it.
docs: packages
	swift build
	scripts/docs.py

# Writes the expected records of the golden replays anew; golden-captures records their scenarios anew too. Both are
# reviewed as code.
golden: packages
	swift build --product beacon-gateway
	swift build --product beacon-matcher
	@scripts/golden.sh
	@scripts/golden.sh plans

golden-captures: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	swift build --product beacon-gateway
	swift build --product VirtualController
	@scripts/golden.sh captures
	@scripts/golden.sh

packages:
	@scripts/packages.sh $(BUILD_PACKAGES)

clean:
	rm -rf .build

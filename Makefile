# Debian packages, listed once: what the build needs, what the demonstration and the tests start.
BUILD_PACKAGES := libbluetooth-dev libdbus-1-dev libical-dev libmosquitto-dev libpq-dev libsqlite3-dev libssl-dev libudev-dev pkg-config
DEMO_PACKAGES  := mosquitto
TEST_PACKAGES  := binutils bluez busybox-static ckermit cpio curl dbus gkermit mosquitto mosquitto-clients openssl ppp \
	postgresql python3-jsonschema python3-venv python3-yaml qemu-system-x86 tshark xz-utils
# Brokers beside mosquitto. The tests start their own; a service that the package started isn't touched.
CLUSTER_PACKAGES := nats-server rabbitmq-server

# Each of these has the machine for itself, because it kills, starves or floods brokers and disks.
DELIVERY_SUITES := BrokerOutageTests ConfirmationTests ConnectionCutTests FailoverTests FullDiskTests LibraryTrapTests \
	MatcherDaemonTests MatcherDeliveryTests MatcherKillTests OutboxFullDiskTests OutboxOutageTests ProbeKillTests TLSTests \
	VersionFallbackTests
empty :=
space := $(empty) $(empty)
any = $(subst $(space),|,$(strip $(1)))

# These compute from start to end, on the threads that the other tests would wait on.
COMPUTING := AccuracyTests ContactSimulationTests ContractTests CorpusTests FuzzTests HostileTimetableTests \
	OutboxDamageTests OutboxLedgerModelTests ProximityTests SoakTests SweepTests
# In these a transfer is cut half-way, which takes a processor that is free at that moment: they mostly wait.
INTERRUPTING := FirmwareUpdateCommandTests FirmwareUpdateTests

# The matcher's API, of which everything is told once more with PostgreSQL.
API := AbuseTests NoticeTests OccupancyAPITests PhoneTests PositiveListTests ReportTests

# Tests beside the virtual machine, the other brokers and the suites above, which are run by themselves.
UNIT_TESTS := --skip VirtualRadioTests --skip BrokerClusterTests --skip BrokerPermissionTests --skip OtherBrokerTests \
	$(addprefix --skip ,$(DELIVERY_SUITES) $(COMPUTING) $(INTERRUPTING))
# Of all at once each would wait for minutes on the few threads there are, and what they watch for would be over.
SOME_AT_ONCE := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16
# Without simulations on one thread and waiting for another program, of which a sanitizer would make many minutes and
# could find nothing; and one after the other, because a slowed test would keep others from their time. A limit for the
# size of files keeps ThreadSanitizer itself from starting, and a crash is reported by the sanitizer, not by Swift.
SANITIZED_TESTS := $(UNIT_TESTS) --skip ModuleProbeTests --skip ChatScriptTests \
	--skip RecordCommandTests/full --skip SecretsTests
# What of the others is about memory and threads.
SANITIZED_SUITES := ConnectionCutTests CorpusTests FailoverTests FirmwareUpdateTests OutboxDamageTests TLSTests \
	VersionFallbackTests

.PHONY: build release demo test test-unit test-delivery test-virtual-radio test-api test-demo test-brokers test-thread test-address fuzz fuzz-parsers fuzz-corpus \
	soak outage bench-modules \
	bench-ingest bench-matching bench-contacts bench-publish bench-accuracy lint format scripts contract golden golden-captures clean packages

build: packages
	swift build

release: packages
	swift build -c release --product beacon-gateway --static-swift-stdlib

demo: packages
	@scripts/packages.sh $(DEMO_PACKAGES)
	swift build --product beacon-gateway
	swift build --product beacon-matcher
	@scripts/demo.sh

test: lint test-unit test-delivery test-api test-demo test-virtual-radio

test-unit: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	swift build --build-tests
	@$(SOME_AT_ONCE) scripts/failures-last.sh swift test --skip-build $(UNIT_TESTS)
	@scripts/failures-last.sh swift test --skip-build --filter '$(call any,$(COMPUTING))'
	@scripts/failures-last.sh swift test --skip-build --filter '$(call any,$(INTERRUPTING))'
	@BEACON_TEST_BACKEND=postgreSQL $(SOME_AT_ONCE) scripts/failures-last.sh swift test --skip-build --filter '$(call any,$(API))'

# That nothing is lost: brokers, disks and the gateway itself fail on purpose.
test-delivery: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	swift build --build-tests
	@scripts/failures-last.sh swift test --skip-build --no-parallel --filter '$(call any,$(DELIVERY_SUITES))'

test-virtual-radio: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	@Tests/VirtualRadio/build-base.sh
	swift build --build-tests
	swift build -c release --product beacon-gateway
	@scripts/failures-last.sh swift test --skip-build --filter VirtualRadioTests

# What takes minutes, or other brokers than mosquitto: clusters of NATS and RabbitMQ whose leader is killed, the quirks of
# either, and a mosquitto that stands still for a minute.
test-brokers: packages
	@scripts/packages.sh $(TEST_PACKAGES) $(CLUSTER_PACKAGES)
	swift build --build-tests
	@scripts/failures-last.sh swift test --skip-build --no-parallel --filter 'BrokerClusterTests|BrokerPermissionTests|OtherBrokerTests'
	@BEACON_TEST_PAUSE=60 scripts/failures-last.sh swift test --skip-build --filter BrokerOutageTests/standstill

# Requests to the matcher's API that are made from its OpenAPI document, by schemathesis from PyPI, and what is stored then:
# SEED=2 makes others, MORE=200 more. Skipped where PyPI can't be reached.
test-api: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	swift build --product beacon-matcher
	@scripts/test-api.sh

# The demo, from modules to the exposure.
test-demo:
	@DEMO_SECONDS=20 $(MAKE) --no-print-directory demo

# The unit tests under ThreadSanitizer and AddressSanitizer, each with a build of its own.
test-thread: export TSAN_OPTIONS := suppressions=$(CURDIR)/Tests/race-suppressions.txt:print_suppressions=0
test-thread: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	@scripts/failures-last.sh swift test --no-parallel --sanitize=thread --scratch-path .build/thread $(SANITIZED_TESTS)
	@scripts/failures-last.sh swift test --skip-build --no-parallel --sanitize=thread --scratch-path .build/thread \
		--filter '$(call any,$(SANITIZED_SUITES))'

test-address: export LSAN_OPTIONS := suppressions=$(CURDIR)/Tests/leak-suppressions.txt:print_suppressions=0
test-address: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	@scripts/failures-last.sh swift test --no-parallel --sanitize=address --scratch-path .build/address $(SANITIZED_TESTS)
	@scripts/failures-last.sh swift test --skip-build --no-parallel --sanitize=address --scratch-path .build/address \
		--filter '$(call any,$(SANITIZED_SUITES))'

# Longer than in `make test`. FUZZ_SEED=1 FUZZ_INPUTS=20000 give the first seed and the inputs to each dialogue.
fuzz: packages
	FUZZ_INPUTS=$${FUZZ_INPUTS:-20000} swift test --filter FuzzTests

# Coverage-guided, of everything that parses what others send or wrote: FUZZ_INPUTS=10000000. The options are in the
# script; `make fuzz-corpus` writes Fuzz/Corpus anew.
fuzz-parsers: packages
	@Fuzz/run.sh

fuzz-corpus: packages
	@Fuzz/run.sh minimise

# A month of twenty modules at the product's own pace, optimized, with and without a receiver.
soak: packages
	SOAK_DAYS=$${SOAK_DAYS:-30} swift test -c release -Xswiftc -enable-testing --scratch-path .build/soak --filter SoakTests

# A day without a broker at 40 records a second and 64 MB, in accelerated time.
outage: packages
	OUTAGE_SCALE=$${OUTAGE_SCALE:-64} swift test -c release -Xswiftc -enable-testing --scratch-path .build/soak --filter OutboxOutageTests

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks Fuzz

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks Fuzz

# How long modules take, and what looking after them costs.
bench-modules: release
	@scripts/packages.sh $(DEMO_PACKAGES)
	@Benchmarks/modules.sh .build/release/beacon-gateway

# How fast reports are decoded and followed: beside C, beside other decoders, in a flood, and in the whole program.
bench-ingest: release
	@scripts/packages.sh $(DEMO_PACKAGES)
	swift build -c release --product IngestBenchmark --static-swift-stdlib
	@Benchmarks/ingest.sh .build/release/IngestBenchmark .build/release/beacon-gateway

# How fast records go through the outbox to a broker, beside bare libmosquitto.
bench-publish: packages
	@scripts/packages.sh $(DEMO_PACKAGES)
	swift build -c release --product PublishBenchmark --static-swift-stdlib
	@Benchmarks/publish.sh .build/release/PublishBenchmark

# How fast interactions are stored and exposures are found, beside bare SQL, and how fast the whole program stores:
# INTERACTIONS=10000000 RECORDS=100000.
bench-matching: packages
	@scripts/packages.sh $(TEST_PACKAGES)
	swift build -c release --product MatchingBenchmark --static-swift-stdlib
	swift build -c release --product beacon-matcher --static-swift-stdlib
	@Benchmarks/matching.sh .build/release/MatchingBenchmark
	@Benchmarks/matching_live.sh .build/release/MatchingBenchmark .build/release/beacon-matcher

# How well contacts are found between people whose every step is known, at several shares of lost packets:
# CONTACTS='--seed 2 --people 200 --days 3'. Takes some minutes.
bench-contacts: packages
	swift build -c release --product ContactsBenchmark --static-swift-stdlib
	@.build/release/ContactsBenchmark $(CONTACTS)

# How well distance, contact and presence are told, on recordings with ground truth: DATA is their directory. Without it
# nothing is measured.
DATA ?= ../shared/data
bench-accuracy: packages
	swift build -c release --product AccuracyBenchmark --static-swift-stdlib
	@.build/release/AccuracyBenchmark $(DATA)

# Writes firmware-scripts/, the scripts for people without the gateway, anew.
scripts: packages
	swift build --product beacon-gateway
	.build/debug/beacon-gateway export-script --all --output-directory firmware-scripts

# Writes docs/asyncapi.yaml and docs/schemas/ anew; a test compares them.
contract: packages
	swift build --product beacon-gateway
	.build/debug/beacon-gateway schema --output-directory docs

# Writes the expected records of the golden replays anew; golden-captures records their scenarios anew too. Both are
# reviewed as code.
golden: packages
	swift build --product beacon-gateway
	@scripts/golden.sh

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

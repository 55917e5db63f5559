// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "beacon-gateway",
    products: [
        .executable(name: "beacon-gateway", targets: ["Gateway"]),
        .executable(name: "beacon-matcher", targets: ["Matcher"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0", traits: []),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // C libraries of the system. Their pkg-config names aren't those of the modules.
        .systemLibrary(name: "CBluetooth", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CIcal", pkgConfig: "libical", providers: [.apt(["libical-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),

        // Pure: values in, values out. No I/O, no clock.
        .target(name: "BeaconModel", swiftSettings: strict),
        .target(name: "Advertisement", dependencies: ["BeaconModel"], swiftSettings: strict),
        .target(name: "Proximity", dependencies: ["BeaconModel"], swiftSettings: strict),
        // What operators write and read: configuration files, durations, sizes, times, tables.
        .target(
            name: "OperatorText", dependencies: ["BeaconModel", .product(name: "TOMLKit", package: "TOMLKit")],
            swiftSettings: strict),
        .target(
            name: "Matching", dependencies: ["BeaconModel", "OperatorText", "Proximity"],
            resources: ["six-metre-five-minute", "two-metre-thirty", "en-v2", "cwa-1.15", "further"].map {
                .embedInCode("Policies/\($0).toml")
            },
            swiftSettings: strict),

        .target(
            name: "Attendance", dependencies: ["BeaconModel", "CIcal", "Matching", "OperatorText"],
            swiftSettings: strict),

        // I/O, each with its pure half beside it.
        .target(name: "SystemIO", dependencies: ["BeaconModel", "CLinux"], swiftSettings: strict),
        .target(
            name: "BlueZScanner", dependencies: ["BeaconModel", "CBluetooth", "CDBus", "CLinux", "SystemIO"],
            swiftSettings: strict),
        .target(
            name: "Exchange", dependencies: ["BeaconModel", "CBluetooth", "SystemIO"], swiftSettings: strict),
        .target(
            name: "UARTConfig", dependencies: ["Advertisement", "BeaconModel", "CLinux", "CUdev", "SystemIO"],
            swiftSettings: strict),
        .target(name: "ModuleEmulator", dependencies: ["BeaconModel", "CLinux", "SystemIO"], swiftSettings: strict),
        .target(
            name: "MQTTBridge",
            dependencies: [
                "Advertisement", "BeaconModel", "CMosquitto", "CSQLite", "SystemIO",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        .target(
            name: "InteractionStore",
            dependencies: [
                "Attendance", "BeaconModel", "CLinux", "CPostgreSQL", "CSQLite", "Matching", "MQTTBridge",
                "OperatorText", "SystemIO", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),

        // What the programs' commands have in common.
        .target(
            name: "CommandSupport",
            dependencies: [
                "BeaconModel", "MQTTBridge", "OperatorText", "SystemIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        .executableTarget(
            name: "Gateway",
            dependencies: [
                "Advertisement", "BeaconModel", "BlueZScanner", "CLinux", "CommandSupport", "Exchange",
                "ModuleEmulator", "MQTTBridge", "OperatorText", "Proximity", "SystemIO", "UARTConfig",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        .executableTarget(
            name: "Matcher",
            dependencies: [
                "Attendance", "BeaconModel", "CommandSupport", "InteractionStore", "Matching", "MQTTBridge",
                "OperatorText", "SystemIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("API/openapi.json")], swiftSettings: strict),

        // How fast reports are read and followed, beside the same in C: `make bench-ingest`.
        .target(name: "IngestC", path: "Benchmarks/IngestC"),
        .executableTarget(
            name: "IngestBenchmark",
            dependencies: ["Advertisement", "BeaconModel", "BlueZScanner", "IngestC", "Proximity"],
            path: "Benchmarks/Ingest", swiftSettings: strict),

        // How well distance, contact and presence are told on public recordings: `make bench-accuracy`.
        .executableTarget(
            name: "AccuracyBenchmark", dependencies: ["BeaconModel", "CSQLite", "Proximity"],
            path: "Benchmarks/Accuracy", swiftSettings: strict),

        // How fast records go through the outbox to a broker, beside bare libmosquitto: `make bench-publish`.
        .target(name: "PublishC", dependencies: ["CMosquitto"], path: "Benchmarks/PublishC"),
        .executableTarget(
            name: "PublishBenchmark",
            dependencies: [
                "BeaconModel", "MQTTBridge", "PublishC", "SystemIO", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks/Publish", swiftSettings: strict),

        // How fast interactions are stored and exposures found, beside bare SQL: `make bench-matching`.
        .executableTarget(
            name: "MatchingBenchmark",
            dependencies: ["BeaconModel", "InteractionStore", "Matching", "MQTTBridge", "SystemIO"],
            path: "Benchmarks/Matching", swiftSettings: strict),

        // How well contacts are found between people whose every step is known: `make bench-contacts`.
        .executableTarget(
            name: "ContactsBenchmark",
            dependencies: [
                "Advertisement", "BeaconModel", "BlueZScanner", "InteractionStore", "Matching", "MQTTBridge",
                "Proximity",
            ],
            path: "Benchmarks/Contacts", swiftSettings: strict),

        // Tests, and what they share.
        .target(
            name: "TestSupport", dependencies: ["CLinux", "CSQLite", "SystemIO"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .testTarget(name: "BeaconModelTests", dependencies: ["BeaconModel", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "AdvertisementTests", dependencies: ["Advertisement", "BeaconModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BlueZScannerTests",
            dependencies: ["Advertisement", "BeaconModel", "BlueZScanner", "CDBus", "SystemIO", "TestSupport"],
            swiftSettings: strict),
        // Everything that parses what others send or wrote, with the inputs of Fuzz/.
        .testTarget(
            name: "CorpusTests",
            dependencies: [
                "Advertisement", "BeaconModel", "BlueZScanner", "CLinux", "Exchange", "Gateway", "OperatorText",
                "SystemIO", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ExchangeTests", dependencies: ["BeaconModel", "Exchange", "SystemIO", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AccuracyTests", dependencies: ["AccuracyBenchmark", "CSQLite", "Proximity"], swiftSettings: strict),
        .testTarget(
            name: "ContactSimulationTests", dependencies: ["ContactsBenchmark"], swiftSettings: strict),
        .testTarget(
            name: "ProximityTests", dependencies: ["BeaconModel", "Proximity", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "MatchingTests", dependencies: ["Matching", "OperatorText", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "AttendanceTests", dependencies: ["Attendance", "Matching", "OperatorText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ModuleEmulatorTests", dependencies: ["BeaconModel", "ModuleEmulator", "SystemIO", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "UARTConfigTests",
            dependencies: ["Advertisement", "BeaconModel", "ModuleEmulator", "SystemIO", "TestSupport", "UARTConfig"],
            swiftSettings: strict),
        // Records that say who they are, and a process that publishes them and can be killed.
        .target(
            name: "SyntheticRecords", dependencies: ["MQTTBridge"], path: "Tests/SyntheticRecords",
            swiftSettings: strict),
        .executableTarget(
            name: "PublisherProbe",
            dependencies: [
                "BeaconModel", "MQTTBridge", "SyntheticRecords", "SystemIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/PublisherProbe", swiftSettings: strict),
        .testTarget(
            name: "MQTTBridgeTests",
            dependencies: [
                "Advertisement", "BeaconModel", "CSQLite", "MQTTBridge", "PublisherProbe", "SyntheticRecords",
                "SystemIO", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Golden"], swiftSettings: strict),
        .testTarget(
            name: "InteractionStoreTests",
            dependencies: [
                "Attendance", "BeaconModel", "CSQLite", "InteractionStore", "Matching", "MQTTBridge", "SystemIO",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "OperatorTextTests", dependencies: ["BeaconModel", "OperatorText"], swiftSettings: strict),
        .testTarget(
            name: "CommandSupportTests",
            dependencies: ["CommandSupport", "SystemIO", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Advertisement", "BeaconModel", "BlueZScanner", "CommandSupport", "Gateway", "ModuleEmulator",
                "MQTTBridge", "OperatorText", "Proximity", "SystemIO", "TestSupport", "UARTConfig",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Evaluate", "Golden", "Inventories"], swiftSettings: strict),
        .testTarget(
            name: "MatcherTests",
            dependencies: [
                "Attendance", "BeaconModel", "InteractionStore", "Matcher", "Matching", "MQTTBridge", "OperatorText",
                "SystemIO", "TestSupport", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Lectures"], swiftSettings: strict),
        // A controller for /dev/vhci, and the virtual machine in which it and the gateway run.
        .executableTarget(
            name: "VirtualController", path: "Tests/VirtualRadio/VirtualController", swiftSettings: strict),
        // Connects to phones of that controller.
        .executableTarget(
            name: "ExchangeProbe", dependencies: ["BeaconModel", "BlueZScanner", "Exchange", "SystemIO"],
            path: "Tests/VirtualRadio/ExchangeProbe", swiftSettings: strict),
        .testTarget(
            name: "VirtualRadioTests",
            dependencies: ["ExchangeProbe", "Gateway", "SystemIO", "TestSupport", "VirtualController"],
            path: "Tests/VirtualRadio/VirtualRadioTests", swiftSettings: strict),
    ]
)

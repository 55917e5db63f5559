// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Optimised in debug builds too, because tests run months and millions of inputs through this code. All of Swift's checks
/// stay except `assert`.
let computing = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Tests: the helper gives the target the end of its name, which is its tier. `scripts/check.py` runs tiers by these ends.

/// Values in, values out: no file, process, thread, broker or database.
func valueTests(_ subject: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: subject + "Tests", dependencies: ["TestValues"] + dependencies, exclude: exclude, swiftSettings: strict)
}

/// Long computations without I/O: months of simulated time, random inputs.
func simulationTests(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: subject + "SimulationTests", dependencies: ["SystemIO", "TestValues"] + dependencies,
        swiftSettings: computing)
}

/// Files, processes, threads, pseudo-terminals, brokers, databases.
func integrationTests(_ subject: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: subject + "IntegrationTests", dependencies: ["SystemIO", "TestSupport", "TestValues"] + dependencies,
        exclude: exclude, swiftSettings: strict)
}

/// Proofs that nothing is lost while brokers, disks and programs fail.
func deliveryTests(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: subject + "DeliveryTests", dependencies: ["SystemIO", "TestSupport", "TestValues"] + dependencies,
        swiftSettings: strict)
}

/// Proofs of delivery with clusters of other brokers.
func clusterTests(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: subject + "ClusterTests", dependencies: ["SystemIO", "TestSupport", "TestValues"] + dependencies,
        swiftSettings: strict)
}

let package = Package(
    name: "beacon-gateway",
    products: [
        .executable(name: "beacon-gateway", targets: ["Gateway"]),
        .executable(name: "beacon-matcher", targets: ["Matcher"]),
    ]
        // What Benchmarks/, a package of its own, measures.
        + [
            "Advertisement", "BeaconModel", "BlueZScanner", "CMosquitto", "CSQLite", "InteractionStore", "MQTTBridge",
            "Matching", "Proximity", "SystemIO",
        ].map { .library(name: $0, targets: [$0]) },
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
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // C libraries of the system. Their pkg-config names aren't those of the modules.
        .systemLibrary(name: "CBluetooth", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CIcal", pkgConfig: "libical", providers: [.apt(["libical-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),
        .target(name: "CMosquittoGuard", dependencies: ["CMosquitto"]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),

        // Pure: values in, values out. No I/O, no clock.
        .target(name: "BeaconModel", swiftSettings: computing),
        .target(name: "Advertisement", dependencies: ["BeaconModel"], swiftSettings: computing),
        .target(name: "Proximity", dependencies: ["BeaconModel"], swiftSettings: computing),
        // What operators write and read: configuration files, durations, sizes, times, tables.
        .target(
            name: "OperatorText", dependencies: ["BeaconModel", .product(name: "TOMLKit", package: "TOMLKit")],
            swiftSettings: strict),
        .target(
            name: "Matching",
            dependencies: [
                "BeaconModel", "OperatorText", "Proximity",
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            resources: ["six-metre-five-minute", "two-metre-thirty", "en-v2", "cwa-1.15", "further"].map {
                .embedInCode("Policies/\($0).toml")
            },
            swiftSettings: computing),

        .target(
            name: "Attendance", dependencies: ["BeaconModel", "CIcal", "Matching", "OperatorText"],
            swiftSettings: strict),

        // I/O, each with its pure half beside it.
        .target(name: "SystemIO", dependencies: ["BeaconModel", "CLinux"], swiftSettings: strict),
        .target(name: "HTTPClient", dependencies: ["CCurl", "SystemIO"], swiftSettings: strict),
        .target(
            name: "BlueZScanner", dependencies: ["BeaconModel", "CBluetooth", "CDBus", "CLinux", "SystemIO"],
            swiftSettings: computing),
        .target(
            name: "Exchange", dependencies: ["BeaconModel", "CBluetooth", "SystemIO"], swiftSettings: computing),
        .target(
            name: "UARTConfig", dependencies: ["Advertisement", "BeaconModel", "CLinux", "CUdev", "SystemIO"],
            swiftSettings: computing),
        .target(name: "ModuleEmulator", dependencies: ["BeaconModel", "CLinux", "SystemIO"], swiftSettings: computing),
        .target(
            name: "MQTTBridge",
            dependencies: [
                "Advertisement", "BeaconModel", "CMosquitto", "CMosquittoGuard", "CSQLite", "SystemIO",
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
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
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
                "Attendance", "BeaconModel", "CommandSupport", "HTTPClient", "InteractionStore", "Matching",
                "MQTTBridge", "OperatorText", "SystemIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("API/openapi.json")], swiftSettings: strict),

        // Tests, and what they share. TestValues: random numbers, the scale, files of this repository. TestSupport: programs,
        // brokers, databases, networks that fail.
        .target(name: "TestValues", path: "Tests/TestValues", swiftSettings: computing),
        .target(
            name: "TestSupport", dependencies: ["CLinux", "CSQLite", "SystemIO", "TestValues"],
            path: "Tests/TestSupport", swiftSettings: strict),
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

        valueTests("BeaconModel", ["BeaconModel"]),
        valueTests("Advertisement", ["Advertisement", "BeaconModel"]),
        valueTests("Proximity", ["BeaconModel", "Proximity"]),
        valueTests("OperatorText", ["BeaconModel", "OperatorText"]),
        valueTests("Matching", ["Matching", "OperatorText"]),
        valueTests("Attendance", ["Attendance", "Matching", "OperatorText"]),
        valueTests(
            "CommandSupport", ["CommandSupport", "SystemIO", .product(name: "Logging", package: "swift-log")]),
        valueTests("BlueZScanner", ["Advertisement", "BeaconModel", "BlueZScanner", "CDBus", "SystemIO"]),
        valueTests("Exchange", ["BeaconModel", "Exchange"]),
        valueTests("ModuleEmulator", ["BeaconModel", "ModuleEmulator"]),
        valueTests("UARTConfig", ["Advertisement", "BeaconModel", "ModuleEmulator", "SystemIO", "UARTConfig"]),
        valueTests("MQTTBridge", ["Advertisement", "BeaconModel", "MQTTBridge"], exclude: ["Golden"]),
        valueTests("InteractionStore", ["Attendance", "BeaconModel", "InteractionStore", "Matching", "MQTTBridge"]),
        valueTests(
            "Gateway",
            [
                "Advertisement", "BeaconModel", "BlueZScanner", "CommandSupport", "Exchange", "Gateway",
                "MQTTBridge", "OperatorText", "Proximity", "SystemIO", "UARTConfig",
            ],
            exclude: ["Golden", "Inventories"]),
        valueTests(
            "Matcher",
            [
                "Attendance", "BeaconModel", "CommandSupport", "InteractionStore", "Matcher", "Matching", "MQTTBridge",
                "OperatorText", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            exclude: ["Lectures"]),

        // Everything that parses what others send or wrote, with the inputs of Fuzz/.
        simulationTests(
            "Corpus", ["Advertisement", "BeaconModel", "BlueZScanner", "CLinux", "Exchange", "Gateway", "OperatorText"]),
        simulationTests(
            "UARTConfig", ["Advertisement", "BeaconModel", "ModuleEmulator", "UARTConfig", "UARTConfigTests"]),
        simulationTests("MQTTBridge", ["BeaconModel", "MQTTBridge"]),

        integrationTests("HTTPClient", ["HTTPClient"]),
        integrationTests(
            "BlueZScanner", ["Advertisement", "BeaconModel", "BlueZScanner", "BlueZScannerTests", "CDBus"]),
        integrationTests("ModuleEmulator", ["BeaconModel", "ModuleEmulator", "ModuleEmulatorTests"]),
        integrationTests(
            "UARTConfig", ["Advertisement", "BeaconModel", "ModuleEmulator", "UARTConfig", "UARTConfigTests"]),
        integrationTests(
            "MQTTBridge",
            [
                "BeaconModel", "MQTTBridge", "MQTTBridgeTests", .product(name: "Logging", package: "swift-log"),
            ]),
        integrationTests(
            "InteractionStore",
            [
                "Attendance", "BeaconModel", "CSQLite", "InteractionStore", "InteractionStoreTests", "Matching",
                "MQTTBridge",
            ]),
        integrationTests(
            "Gateway",
            [
                "Advertisement", "BeaconModel", "BlueZScanner", "CommandSupport", "Exchange", "Gateway",
                "GatewayTests", "ModuleEmulator", "MQTTBridge", "OperatorText", "Proximity", "UARTConfig",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Evaluate"]),
        integrationTests(
            "Matcher",
            [
                "Attendance", "BeaconModel", "CommandSupport", "HTTPClient", "InteractionStore", "Matcher", "Matching",
                "MQTTBridge", "MQTTBridgeTests", "OperatorText", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        deliveryTests(
            "MQTTBridge",
            [
                "Advertisement", "BeaconModel", "CSQLite", "MQTTBridge", "MQTTBridgeTests", "PublisherProbe",
                "SyntheticRecords", .product(name: "Logging", package: "swift-log"),
            ]),
        deliveryTests(
            "Matcher",
            [
                "BeaconModel", "HTTPClient", "InteractionStore", "Matcher", "MatcherIntegrationTests", "Matching",
                "MQTTBridge", "OperatorText", .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        clusterTests(
            "MQTTBridge",
            [
                "BeaconModel", "MQTTBridge", "MQTTBridgeDeliveryTests", "MQTTBridgeTests", "PublisherProbe",
                "SyntheticRecords", .product(name: "Logging", package: "swift-log"),
            ]),

        // A controller for /dev/vhci, and the virtual machine in which it and the gateway run.
        .executableTarget(
            name: "VirtualController", path: "Tests/VirtualRadio/VirtualController", swiftSettings: strict),
        valueTests("VirtualController", ["VirtualController"]),
        // Connects to phones of that controller.
        .executableTarget(
            name: "ExchangeProbe", dependencies: ["BeaconModel", "BlueZScanner", "Exchange", "SystemIO"],
            path: "Tests/VirtualRadio/ExchangeProbe", swiftSettings: strict),
        .testTarget(
            name: "VirtualRadioTests",
            dependencies: ["ExchangeProbe", "Gateway", "SystemIO", "TestSupport", "TestValues", "VirtualController"],
            path: "Tests/VirtualRadio/VirtualRadioTests", swiftSettings: strict),
    ]
)

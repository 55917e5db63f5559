// swift-tools-version: 6.2
// A package of its own, so that neither the product nor its tests build what only measures them.
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library of the product.
func product(_ name: String) -> Target.Dependency { .product(name: name, package: "beacon-gateway") }

let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "beacon-gateway", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // How fast reports are read and followed, beside the same in C: `make bench-ingest`.
        .target(name: "IngestC", path: "IngestC"),
        .executableTarget(
            name: "IngestBenchmark",
            dependencies: [
                "IngestC", product("Advertisement"), product("BeaconModel"), product("BlueZScanner"),
                product("Proximity"),
            ],
            path: "Ingest", swiftSettings: strict),
        .testTarget(name: "IngestTests", dependencies: ["IngestBenchmark"], swiftSettings: strict),

        // How well distance, contact and presence are told on public recordings: `make bench-accuracy`.
        .executableTarget(
            name: "AccuracyBenchmark",
            dependencies: [product("BeaconModel"), product("CSQLite"), product("Proximity")],
            path: "Accuracy", swiftSettings: strict),
        .testTarget(
            name: "AccuracyTests", dependencies: ["AccuracyBenchmark", product("CSQLite"), product("Proximity")],
            swiftSettings: strict),

        // How fast records go through the outbox to a broker, beside bare libmosquitto: `make bench-publish`.
        .target(name: "PublishC", dependencies: [product("CMosquitto")], path: "PublishC"),
        .executableTarget(
            name: "PublishBenchmark",
            dependencies: [
                "PublishC", product("BeaconModel"), product("MQTTBridge"), product("SystemIO"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Publish", swiftSettings: strict),

        // How fast interactions are stored and exposures found, beside bare SQL: `make bench-matching`.
        .executableTarget(
            name: "MatchingBenchmark",
            dependencies: [
                product("BeaconModel"), product("InteractionStore"), product("MQTTBridge"), product("Matching"),
                product("SystemIO"),
            ],
            path: "Matching", swiftSettings: strict),

        // How well contacts are found between people whose every step is known: `make bench-contacts`.
        .executableTarget(
            name: "ContactsBenchmark",
            dependencies: [
                product("Advertisement"), product("BeaconModel"), product("BlueZScanner"),
                product("InteractionStore"), product("MQTTBridge"), product("Matching"), product("Proximity"),
            ],
            path: "Contacts", swiftSettings: strict),
        .testTarget(
            name: "ContactSimulationTests", dependencies: ["ContactsBenchmark"], swiftSettings: strict),
    ]
)

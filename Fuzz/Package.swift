// swift-tools-version: 6.2
// A package of its own, because all of it is instrumented: see run.sh. Modules/ and Seeds/ are links to the sources.
import PackageDescription

/// `fuzzer` or `fuzzer,address`; empty for the program that writes seeds, which has a `main` of its own.
let sanitizers = Context.environment["FUZZ_SANITIZERS"] ?? "fuzzer"
let flags = sanitizers.isEmpty ? [] : ["-sanitize=\(sanitizers)"]

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// With optimization and all of Swift's checks, and with the internal functions that are fuzzed.
let instrumented = strict + [.unsafeFlags(flags + ["-enable-testing"])]

/// The gold linker crashes on these programs.
let link: [LinkerSetting] = [.unsafeFlags(flags + ["-use-ld=lld"])]

func entry(_ name: String) -> Target {
    .executableTarget(
        name: "Fuzz\(name)", dependencies: ["Advertisement", "BeaconModel", "Checks", "Driver"],
        path: "Entries/\(name)", swiftSettings: strict, linkerSettings: link)
}

let programs: [Target] =
    if sanitizers.isEmpty {
        [
            .executableTarget(
                name: "Seeds", dependencies: ["Advertisement", "BeaconModel", "BlueZScanner", "Checks"], path: "Seeds",
                swiftSettings: instrumented)
        ]
    } else {
        [
            entry("HCIEvent"), entry("AdvertisingData"), entry("Fragments"), entry("BTSnoop"),
            entry("MonitorMessage"), entry("Pseudonyms"), entry("Exchange"), entry("DayOrTime"),
        ]
    }

let package = Package(
    name: "fuzz",
    targets: [
        .systemLibrary(name: "LibFuzzer", path: "Modules/LibFuzzer"),
        .target(name: "Driver", dependencies: ["LibFuzzer"], path: "Modules/Driver", swiftSettings: strict),
        .systemLibrary(name: "CBluetooth", path: "Modules/CBluetooth", pkgConfig: "bluez"),
        .systemLibrary(name: "CDBus", path: "Modules/CDBus", pkgConfig: "dbus-1"),
        .systemLibrary(name: "CLinux", path: "Modules/CLinux"),
        .target(name: "Crypto", path: "Modules/Crypto", swiftSettings: strict),
        .target(name: "BeaconModel", path: "Modules/BeaconModel", swiftSettings: instrumented),
        .target(
            name: "Advertisement", dependencies: ["BeaconModel"], path: "Modules/Advertisement",
            swiftSettings: instrumented),
        .target(
            name: "SystemIO", dependencies: ["BeaconModel", "CLinux"], path: "Modules/SystemIO",
            swiftSettings: instrumented),
        .target(
            name: "BlueZScanner", dependencies: ["BeaconModel", "CBluetooth", "CDBus", "CLinux", "SystemIO"],
            path: "Modules/BlueZScanner", swiftSettings: instrumented),
        .target(
            name: "Exchange", dependencies: ["BeaconModel", "CBluetooth", "SystemIO"], path: "Modules/Exchange",
            swiftSettings: instrumented),
        .target(
            name: "Gateway", dependencies: ["BeaconModel", "Crypto"], path: "Modules/Gateway",
            swiftSettings: instrumented),
        .target(
            name: "OperatorText", dependencies: ["BeaconModel"], path: "Modules/OperatorText",
            swiftSettings: instrumented),
        .target(
            name: "Checks",
            dependencies: [
                "Advertisement", "BeaconModel", "BlueZScanner", "CLinux", "Exchange", "Gateway", "OperatorText",
                "SystemIO",
            ],
            path: "Modules/Checks", swiftSettings: instrumented),
    ] + programs
)

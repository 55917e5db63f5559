import Advertisement

/// Scripts for an RS9116.
enum RS9116Scripts {
    private typealias Loader = RS9116BootLoader

    /// Time to wait for an answer, in seconds. chat takes 10 ms for each character that it sends; a line of advertising
    /// data has 111.
    private static let patience = 5

    static func provision(_ configuration: BeaconConfiguration, _ type: AdvertisingType) -> DialogueScript {
        let data = IBeacon.advertisingData(configuration.beacon, measuredPower: configuration.measuredPower)
        return DialogueScript(
            purpose: ["Resets an RS9116 and makes it advertise an iBeacon, \(type.name):"] + configuration.inWords,
            baudRate: RS9116Session.baudRate,
            steps: boot + [.abort(on: "ERROR"), .tell("version")] + ask(.firmwareVersion)
                + [.tell("Bluetooth")] + ask(.operatingMode(transmitPower: configuration.transmitPower))
                + [.exchange(bluetooth), .tell("address")] + ask(.localAddress, answer: "OK ")
                + [.tell("advertising data")] + ask(.setAdvertisingData(data))
                + [.tell("\(type.name) advertising")] + ask(.advertise(type, configuration.interval))
                + mark(configuration, type),
            success: "The module advertises. It stops when it is reset or loses power.")
    }

    static let reset = DialogueScript(
        purpose: ["Resets an RS9116 with running firmware: it then advertises nothing, and waits in its boot loader."],
        baudRate: RS9116Session.baudRate,
        steps: [
            .tell("reset"),
            .exchange(.init(attempts: [line(.reset, "OK", times: 2)], patience: 2, readsLine: true)),
        ],
        success: "The module was reset.")

    /// A script that reads the version from running firmware, or loads the firmware first. Neither program can branch,
    /// but both can keep trying until one of two answers arrives.
    static let version = DialogueScript(
        purpose: [
            "Reads the firmware version and the Bluetooth address of an RS9116.",
            "An advertising module continues to advertise. A module in its boot loader starts its firmware.",
        ],
        baudRate: RS9116Session.baudRate,
        steps: [
            .tell("firmware"),
            .exchange(
                .init(
                    attempts: [line(.firmwareVersion, "OK")] + load(Loader.handshake) + load(Loader.olderHandshake),
                    patience: 1, readsLine: true)),
            .tell("version"),
        ] + ask(.firmwareVersion) + [
            .tell("Bluetooth"),
            .exchange(
                .init(
                    attempts: [
                        line(.localAddress, "OK "), line(.operatingMode(transmitPower: nil), "bt_loaded"),
                        .init(sent: .nothing, answer: "bt_loaded", times: 2), line(.localAddress, "OK "),
                    ], patience: 3, readsLine: true)),
            .tell("address"),
        ] + ask(.localAddress, answer: "OK "),
        success: "Done: the last line is its address.")

    static let stop = DialogueScript(
        purpose: ["Makes an RS9116 stop advertising, until it is provisioned again."],
        baudRate: RS9116Session.baudRate,
        // The query comes first because a boot loader's menu takes the digits of the command for keys.
        steps: [.tell("version")]
            + [.exchange(.init(attempts: [line(.firmwareVersion, "OK", times: 2)], patience: 2, readsLine: true))]
            + [.abort(on: "ERROR"), .tell("stop")] + ask(.stopAdvertising(.nonConnectable, .appleIBeacon)),
        success: "The module advertises nothing.")

    /// The steps from any state of the module to freshly loaded firmware.
    private static var boot: [DialogueScript.Step] {
        let greeting = String(UnicodeScalar(Loader.greeting))
        return [
            .tell("reset, if its firmware runs; a waiting boot loader ignores that"),
            // The second reset is for firmware that took the first for the end of a line of garbage.
            .exchange(.init(attempts: [line(.reset, "OK", times: 2)], patience: 1, isOptional: true)),
            .pause(.seconds(1)),
            .tell("boot loader"),
            .exchange(
                .init(
                    attempts: [
                        .init(sent: .byte(Loader.handshake), answer: greeting, times: 5),
                        .init(sent: .byte(Loader.olderHandshake), answer: greeting, times: 5),
                        // A boot loader that is already at its menu answers this.
                        .init(sent: .byte(Loader.greeting), answer: greeting),
                    ], patience: 1)),
            // Other revisions may word the menu differently; what counts is the effect of the key.
            .exchange(
                .init(
                    attempts: [.init(sent: .byte(Loader.greeting), answer: Loader.menuEnd)], patience: 2,
                    isOptional: true)),
            .tell("loading"),
            .exchange(
                .init(
                    attempts: [
                        .init(pause: .milliseconds(50), sent: .byte(Loader.loadDefaultKey), answer: Loader.loaded)
                    ], patience: 10, readsLine: true)),
        ]
    }

    /// Returns attempts to load the firmware that check only the final message.
    private static func load(_ handshake: UInt8) -> [DialogueScript.Attempt] {
        [
            .init(sent: .byte(handshake), answer: Loader.loaded, times: 2),
            .init(sent: .byte(Loader.greeting), answer: Loader.loaded),
            .init(sent: .byte(Loader.loadDefaultKey), answer: Loader.loaded),
            .init(sent: .nothing, answer: Loader.loaded, times: 9),
        ]
    }

    private static func line(
        _ command: RS9116Command, _ answer: String, times: Int = 1
    ) -> DialogueScript.Attempt {
        .init(sent: .line(command.text), answer: answer, times: times)
    }

    private static func ask(_ command: RS9116Command, answer: String = "OK") -> [DialogueScript.Step] {
        let patience = max(Self.patience, Int(command.timeout.components.seconds))
        return [.exchange(.init(attempts: [line(command, answer)], patience: patience, readsLine: true))]
    }

    /// Waits for Bluetooth. Some firmware does not report that it is ready.
    private static var bluetooth: DialogueScript.Exchange {
        .init(
            attempts: [.init(sent: .nothing, answer: "bt_loaded"), line(.localAddress, "OK ")], patience: 10,
            readsLine: true)
    }

    /// Returns the steps that set the module's name. It lets the gateway recognize a configuration that is already
    /// advertised and leave it alone.
    private static func mark(
        _ configuration: BeaconConfiguration, _ type: AdvertisingType
    ) -> [DialogueScript.Step] {
        let name = ConfigurationFingerprint(configuration).localName(type)
        return [
            .stopAborting(on: "ERROR"), .tell("name, by which the gateway knows what it advertises"),
            .exchange(.init(attempts: [line(.setLocalName(name), "OK")], patience: 2, isOptional: true)),
        ]
    }
}

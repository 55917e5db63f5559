import BeaconModel
import HCI
import Proximity
import RecordContract
import Testing

@testable import GatewayCore

/// Signals of a gateway with one adapter, in simulated time.
@Suite("Signals") struct SignalsTests {
    private func dialogue(on isOn: Bool = true, _ change: (inout Configuration) -> Void = { _ in }) throws
        -> RadioDialogue
    {
        try RadioDialogue {
            $0.rules.hasSignals = isOn
            change(&$0)
        }
    }

    /// Seconds in each of which the badge is heard twice; the last one ends.
    private func hear(_ radio: inout RadioDialogue, for seconds: Int) -> [RadioOutput] {
        var outputs: [RadioOutput] = []
        for _ in 0..<(2 * seconds) {
            outputs += radio.hear(RadioDialogue.badge)
            radio.wait(.milliseconds(500))
        }
        return outputs + radio.say(.silence(source: 0, at: radio.now.wall, heardUntil: nil))
    }

    @Test("Each second that is over is published once, with its number, and not as a record")
    func published() throws {
        var radio = try dialogue()
        let outputs = radio.become(.hearing) + hear(&radio, for: 4)
        let messages = outputs.signals
        #expect(messages.map(\.payload.number) == [1, 2, 3, 4])
        #expect(messages.map(\.payload.time) == (0..<4).map { "2020-11-15T12:00:0\($0).000Z" })
        #expect(messages.allSatisfy { $0.payload.subjects.map(\.counts) == [[2]] && $0.payload.listenedSeconds == 1 })
        #expect(messages.allSatisfy { $0.payload.boot == 1 && $0.payload.clock == "synchronized" })
        // Records are numbered by themselves.
        #expect(outputs.records.map(\.sequence) == [1])
        #expect(!outputs.records.contains { $0.topic.hasSuffix("/signals") })
    }

    @Test("Records are the same whether signals are on or off")
    func recordsAreTheSame() throws {
        var (on, off) = (try dialogue(), try dialogue(on: false))
        let outputs = (hear(&on, for: 90) + on.say(.stopped), hear(&off, for: 90) + off.say(.stopped))
        #expect(outputs.0.published == outputs.1.published)
        #expect(outputs.1.signals.isEmpty && !outputs.0.signals.isEmpty)
    }

    @Test("The same packets give the same messages, byte for byte")
    func deterministic() throws {
        func run() throws -> [[UInt8]] {
            var radio = try dialogue()
            let outputs = radio.become(.hearing) + hear(&radio, for: 20) + radio.fallSilent(for: 25).flatMap { $0 }
            return outputs.signals.map { $0.message(signedWith: nil).payload }
        }
        let messages = try run()
        #expect(messages.count > 20)
        #expect(try run() == messages)
    }

    @Test("They are switched while the gateway runs, and numbers go on")
    func switched() throws {
        var radio = try dialogue(on: false)
        let before = radio.become(.hearing) + hear(&radio, for: 3)
        #expect(before.signals.isEmpty)
        let numbers = [true, false, true].map { isOn in
            let answer = radio.say(.signals(isOn))
            #expect(answer.isEmpty)
            return hear(&radio, for: 2).signals.map(\.payload.number)
        }
        #expect(numbers == [[1, 2], [], [3, 4]])
    }

    @Test("A gateway whose adapter is deaf says so at once, and again every 10 s")
    func deaf() throws {
        var radio = try dialogue()
        _ = radio.become(.hearing)
        _ = hear(&radio, for: 2)
        _ = radio.become(.deaf, reason: .removed)
        let messages = radio.fallSilent(for: 15).map(\.signals)
        #expect(messages.map(\.count) == [1] + Array(repeating: 0, count: 9) + [1] + Array(repeating: 0, count: 4))
        #expect(messages.joined().allSatisfy { $0.payload.listenedSeconds == 0 && $0.payload.subjects.isEmpty })
    }

    @Test("A remote receiver has messages of its own with its place; they share the numbers")
    func remoteReceiver() throws {
        var radio = try dialogue {
            var receiver = RemoteReceiverConfiguration(name: "kitchen", kind: .espresense)
            receiver.room = "3061"
            $0.remoteReceivers = [receiver]
        }
        var outputs = radio.become(.hearing)
        for _ in 0..<3 {
            outputs += radio.hear(RadioDialogue.badge)
            guard let rssi = RSSI(dBm: -70) else { return }
            outputs += radio.say(
                .remote(
                    RemoteReceiverPacket(
                        receiver: 0, time: radio.now.wall,
                        contents: .success(.heard(.init(beacon: RadioDialogue.badge, rssi: rssi, measuredPower: -59))),
                        dropped: 0)))
            radio.wait(.seconds(1))
            outputs += radio.say(.remoteClock(isConnected: true, at: radio.now.wall))
        }
        let messages = outputs.signals
        let kitchen = messages.filter { $0.payload.place.ear == "kitchen" }
        #expect(kitchen.count == 3)
        #expect(kitchen.allSatisfy { $0.payload.place.room == "3061" && $0.payload.subjects.map(\.rssi) == [[-70]] })
        #expect(messages.count { $0.payload.place.ear == nil } == 2)
        #expect(messages.map(\.payload.number) == Array(1...5))
    }

    @Test("Whom the configuration doesn't list isn't in signals")
    func unlisted() throws {
        var radio = try dialogue()
        _ = radio.become(.hearing)
        let stranger = BeaconID(uuid: ProximityUUID(bits: 1), major: 3, minor: 1)
        var outputs = radio.hear(stranger)
        radio.wait(.seconds(1))
        outputs += radio.say(.silence(source: 0, at: radio.now.wall, heardUntil: nil))
        #expect(outputs.signals.map(\.payload.subjects.isEmpty) == [true])
    }
}

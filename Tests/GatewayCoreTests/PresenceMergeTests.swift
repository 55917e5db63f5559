import BeaconModel
import RecordContract
import Testing

@testable import GatewayCore

@Suite("PresenceMerge") struct PresenceMergeTests {
    private static let noon = Timestamp(microseconds: 1_605_441_600_000_000)
    private let beacon = RemoteReceiverPayloads.beacon
    private var merge = PresenceMerge()

    private struct Presence: Decodable, Equatable {
        struct Distance: Decodable, Equatable { var metres: Double }

        var present: Bool?
        var since: String
        var lastSeenAt: String
        var distance: Distance?
        var ear: String?
    }

    /// - Parameters:
    ///   - since: seconds after noon.
    ///   - seen: the same.
    private mutating func say(
        _ receiver: String?, metres: Double? = 2, since: Int = 0, seen: Int = 0, ended: Interaction.EndReason? = nil,
        silence: Duration = .seconds(20)
    ) throws -> Presence {
        let seenAt = Self.noon + .seconds(seen)
        let interaction = Interaction(
            number: 1, continues: nil, subject: .beacon(beacon), startedAt: Self.noon + .seconds(since),
            lastSeenAt: seenAt, ending: ended.map { .init(at: seenAt, reason: $0) }, samples: 1, rssi: nil,
            distance: metres.map {
                DistanceEstimate(
                    metres: $0, lower: $0 / 2, upper: $0 * 2, probabilityWithin: Within(threeMetres: 1, sixMetres: 1))
            }, proximity: .near, expectedMinutesWithin: Within(threeMetres: 0, sixMetres: 0),
            reception: .init(interval: nil, heardShare: nil, silence: silence))
        let (payload, isAbsent) = merge.update(beacon, interaction, by: receiver, boot: 3)
        let presence = try JSON.decode(Presence.self, from: payload.encoded)
        #expect(isAbsent == (presence.present != true))
        return presence
    }

    @Test("With the gateway alone it says what the gateway says")
    mutating func alone() throws {
        let present = try say(nil, since: 5, seen: 10)
        #expect(present.present == true && present.since == "2020-11-15T12:00:05.000Z" && present.ear == nil)
        #expect(try say(nil, seen: 11, ended: .continued).present == true)
        #expect(try say(nil, seen: 12, ended: .departed).present == false)
        #expect(try say(nil, seen: 13, ended: .lost).present == nil)
    }

    @Test("A beacon is present while anyone hears it, since the first of those, until the last one says that it left")
    mutating func anyone() throws {
        _ = try say(nil, since: 0)
        _ = try say("kitchen", since: 60, seen: 60)
        let left = try say(nil, since: 0, seen: 70, ended: .departed)
        #expect(left.present == true && left.ear == "kitchen")
        #expect(left.since == "2020-11-15T12:01:00.000Z")
        #expect(try say("kitchen", since: 60, seen: 90, ended: .departed).present == false)
    }

    @Test("The distance is to the nearest receiver, and another one has to be clearly nearer")
    mutating func nearest() throws {
        #expect(try say(nil, metres: 4).ear == nil)
        let near = try say("kitchen", metres: 2)
        #expect(near.ear == "kitchen" && near.distance?.metres == 2)
        #expect(try say("hall", metres: 1.8).ear == "kitchen")
        #expect(try say("hall", metres: 1.5).ear == "hall")
        #expect(try say("kitchen", metres: 1.4).ear == "hall")
        #expect(try say("hall", metres: nil).ear == "kitchen")
    }

    @Test("Two receivers that hear it alike and report by turns don't make it go to and fro")
    mutating func flapping() throws {
        _ = try say("hall", metres: 3)
        _ = try say("kitchen", metres: 3)
        for turn in 0..<20 {
            let metres = turn.isMultiple(of: 2) ? 2.6 : 3.2
            let one = try say("hall", metres: metres, seen: turn)
            let other = try say("kitchen", metres: 5.8 - metres, seen: turn)
            #expect(one.present == true && other.present == true)
            #expect(one.ear == "hall" && other.ear == "hall")
        }
    }

    @Test("Whom a walker left behind doesn't stay the nearest until it notices")
    mutating func walker() throws {
        _ = try say("kitchen", metres: 1, seen: 0)
        #expect(try say(nil, metres: 5, seen: 30).ear == "kitchen")
        #expect(try say(nil, metres: 5, seen: 90).ear == nil)
    }

    @Test("A node that scans now and then isn't left behind between its scans")
    mutating func seldom() throws {
        _ = try say("attic", metres: 1, seen: 0, silence: .seconds(200))
        #expect(try say(nil, metres: 5, seen: 90).ear == "attic")
    }

    @Test("When nobody hears it any more, the one that heard it last says whether it left or nobody knows")
    mutating func last() throws {
        _ = try say(nil, seen: 0)
        _ = try say("kitchen", seen: 50)
        _ = try say(nil, seen: 60, ended: .departed)
        #expect(try say("kitchen", seen: 50, ended: .lost).present == false)
        _ = try say(nil, seen: 100)
        _ = try say("kitchen", seen: 150)
        _ = try say(nil, seen: 110, ended: .departed)
        #expect(try say("kitchen", seen: 150, ended: .lost).present == nil)
    }

    @Test("A remote receiver that was lost long ago doesn't leave a beacon unknown for ever")
    mutating func forgotten() throws {
        _ = try say("kitchen", seen: 0)
        _ = try say("kitchen", seen: 0, ended: .lost)
        _ = try say(nil, seen: 100)
        #expect(try say(nil, seen: 200, ended: .departed).present == false)
    }

    @Test("Who is here since before a restart is counted when a remote receiver says that it left")
    mutating func resumed() throws {
        let interaction = Interaction(
            number: 1, run: 2, continues: nil, subject: .beacon(beacon), startedAt: Self.noon, lastSeenAt: Self.noon,
            ending: nil, samples: 1, rssi: nil, distance: nil, proximity: .unknown,
            expectedMinutesWithin: Within(threeMetres: 0, sixMetres: 0),
            reception: .init(interval: nil, heardShare: nil, silence: .seconds(20)))
        merge.note(interaction, by: nil)
        #expect(try say("kitchen", seen: 5, ended: .departed).present == true)
    }
}

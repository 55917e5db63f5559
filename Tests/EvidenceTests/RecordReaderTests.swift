import BeaconModel
import Evidence
import Matching
import RecordContract
import TestValues
import Testing

@Suite("Reading records") struct RecordReaderTests {
    private static let beacon = BeaconID(
        uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2)
    private static let own = BeaconID(uuid: beacon.uuid, major: 9, minor: 9)
    private static let place = Place(
        site: "campus", building: "main", floor: "1", gateway: "east", room: "101", beacon: own)

    /// As a gateway makes it.
    private static func bytes(
        of subject: Subject, place: Place = place, receiver: Place? = nil, ending: Interaction.Ending? = nil
    ) throws -> [UInt8] {
        let start = Timestamp(microseconds: morning * 1_000_000 + 250_000)
        var factory = RecordFactory(
            place: place, boot: 77, topics: Topics(prefix: "beacons", place: place),
            pseudonymizer: Pseudonymizer(secret: Array(repeating: 7, count: 32)))
        let interaction = Interaction(
            number: 5, continues: nil, subject: subject, startedAt: start, lastSeenAt: start + .seconds(600),
            ending: ending, samples: 100, rssi: .init(median: -61, minimum: -80, maximum: -50),
            distance: DistanceEstimate(
                metres: 1.504, lower: 0.7, upper: 3.2,
                probabilityWithin: Within(threeMetres: 0.93, sixMetres: 0.999)),
            proximity: .near, expectedMinutesWithin: Within(threeMetres: 9.3, sixMetres: 10),
            reception: .init(interval: 0.1, heardShare: 0.8, silence: .seconds(10)))
        let record = factory.record(
            for: InteractionEvent(kind: ending == nil ? .updated : .ended, time: start, interaction: interaction),
            at: receiver, clockIsSynchronized: true)
        return try #require(record).encoded(historical: false)
    }

    @Test func `A badge that a gateway heard is somebody near the gateway's beacon`() throws {
        let ending = Interaction.Ending(at: Timestamp(microseconds: (morning + 640) * 1_000_000), reason: .departed)
        let read = try RecordReader.read(
            Self.bytes(of: .beacon(Self.beacon), ending: ending), gateway: "campus/main/1/east")
        #expect(
            read
                == .interaction(
                    InteractionRecord(
                        position: RecordPosition(boot: 77, sequence: 1), gateway: "campus/main/1/east",
                        origin: "campus/main/1/east/77", number: 5,
                        place: PlaceName(
                            key: Self.own.description, site: "campus", building: "main", floor: "1",
                            gateway: "campus/main/1/east", room: "101", beacon: Self.own.description),
                        subject: SubjectIdentity(kind: "badge", id: Self.beacon.description)!, start: morning,
                        end: morning + 600, state: .departed, samples: 100, rssi: -61,
                        distance: .init(centimetres: 150, lower: 70, upper: 320), within3m: 930, within6m: 999,
                        seconds3m: 558, seconds6m: 600)))
    }

    @Test func `A phone is somebody near the gateway's beacon too, by its pseudonym`() throws {
        let subject = Subject.contactUser(.bleProximity, 42)
        guard case .interaction(let record) = try RecordReader.read(Self.bytes(of: subject)) else {
            Issue.record("no interaction")
            return
        }
        #expect(record.subject.kind == "ble-proximity")
        #expect(record.subject.id.count == 32)
        #expect(record.place.key == Self.own.description)
        #expect(record.state == .open)
    }

    @Test func `Without a beacon of its own a gateway is the place, and so is a remote receiver`() throws {
        var bare = Self.place
        bare.beacon = nil
        guard case .interaction(let record) = try RecordReader.read(Self.bytes(of: .beacon(Self.beacon), place: bare))
        else { return }
        #expect(record.place.key == "campus/main/1/east")
        var receiver = bare
        receiver.ear = "kitchen"
        receiver.room = "Kitchen"
        guard
            case .interaction(let other) = try RecordReader.read(
                Self.bytes(of: .beacon(Self.beacon), place: bare, receiver: receiver))
        else { return }
        #expect(other.place.key == "campus/main/1/east/kitchen")
        #expect(other.place.room == "Kitchen")
        #expect(other.origin == "campus/main/1/east/kitchen/77")
        #expect(other.gateway == "campus/main/1/east")
    }

    @Test func `Records of other kinds count and say nothing of interactions`() throws {
        let text = String(decoding: try Self.bytes(of: .beacon(Self.beacon)), as: UTF8.self)
            .replacing("interaction.updated", with: "module.failed")
        #expect(
            try RecordReader.read(Array(text.utf8))
                == .other(gateway: "campus/main/1/east", position: RecordPosition(boot: 77, sequence: 1)))
    }

    @Test(
        "What is no record is said",
        arguments: [
            ("\"boot\":77,", "", "has no boot"),
            ("\"sequence\":1", "\"sequence\":-1", "is not JSON, or has an impossible number"),
            ("\"site\":\"campus\"", "\"site\":\"Cam pus\"", "names an invalid place"),
            ("\"site\":\"campus\"", "\"site\":\"other\"", "has an interaction of another gateway"),
            ("/77/i5", "/77/i5x", "has an interaction of another gateway"),
            ("/77/i5", "/77/i+5", "has an interaction of another gateway"),
            ("/77/i5", "/x/77/i5", "has an interaction of another gateway"),
            ("/77/i5", "/+77/i5", "has an interaction of another gateway"),
            ("/77/i5", "/077/i5", "has an interaction of another gateway"),
            ("/77/i5", "//i5", "has an interaction of another gateway"),
            ("/77/i5", "/\\u0000x/i5", "has an interaction of another gateway"),
            (
                "\"startedAt\":\"2026", "\"startedAt\":\"2027",
                "has a lastSeenAt before startedAt, or more than a day after it"
            ),
            ("\"startedAt\":\"2026", "\"startedAt\":\"20xx", "has no valid time in startedAt"),
            ("\"lower\":0.7", "\"lower\":1.7", "has a distance outside its bounds"),
            ("\"upper\":3.2", "\"upper\":1e999", "is not JSON, or has an impossible number"),
            ("\"3m\":0.93", "\"3m\":1.93", "has a probability that is not from 0 to 1"),
            ("\"median\":-61", "\"median\":-610", "has an impossible rssi"),
            ("\"kind\":\"gateway\"", "\"kind\":\"\"", "has a counterpart of an unknown kind"),
            ("\"kind\":\"gateway\"", "\"kind\":\"badge\"", "has a counterpart of an unknown kind"),
            ("\"kind\":\"gateway\"", "\"kind\":\"phone\"", "has a counterpart of an unknown kind"),
            ("\"kind\":\"gateway\"", "\"kind\":\"teleporter\"", "has a counterpart of an unknown kind"),
            (
                "interaction.updated", "interaction.exploded",
                "has a type other than interaction.started, interaction.updated and interaction.ended"
            ),
            (
                "interaction.updated", "interaction.",
                "has a type other than interaction.started, interaction.updated and interaction.ended"
            ),
            (
                "interaction.updated", "interaction.ended",
                "is of the type interaction.ended, but lacks endedAt or endReason"
            ),
            (
                "\"startedAt\":", "\"endReason\":\"lost\",\"startedAt\":",
                "has an endedAt or endReason, but is not of the type interaction.ended"
            ),
            (
                "\"clock\":\"synchronized\"", "\"clock\":\"cuckoo\"",
                "has a clock that is neither synchronized nor unsynchronized"
            ),
            ("\"major\":1,", "\"major\":70000,", "is not JSON, or has an impossible number"),
            ("\"boot\":77", "\"boot\":\"77\"", "has a value of the wrong type in data.boot"),
            ("{", "[", "is not JSON, or has an impossible number"),
            ("\"specversion\"", "\u{0}", "is not JSON, or has an impossible number"),
            ("\"boot\":77,", "\"boot\":18446744073709551615,", "has a boot or sequence of 2^53 or more"),
            ("\"boot\":77,", "\"boot\":0,", "has a boot or sequence of 0; both count from 1"),
            ("\"samples\":100", "\"samples\":0", "has no samples"),
            ("\"sequence\":1", "\"sequence\":0", "has a boot or sequence of 0; both count from 1"),
            ("At\":\"2026", "At\":\"2100", "has a startedAt after the year 2099"),
            ("\"id\":\"campus/main/1/east\"", "\"id\":\"\"", "has a counterpart that is not its gateway"),
            ("\"id\":\"campus/main/1/east\"", "\"id\":\"x/y/z/w\"", "has a counterpart that is not its gateway"),
            (
                "\"id\":\"campus/main/1/east\"", "\"id\":\"campus/main/1/east/kitchen\"",
                "has a counterpart that is not its gateway"
            ),
        ])
    func defects(text: String, replacement: String, found: String) throws {
        let record = String(decoding: try Self.bytes(of: .beacon(Self.beacon)), as: UTF8.self)
        #expect(record.contains(text), "\(record)")
        let error = #expect(throws: RecordReader.Defect.self) {
            try RecordReader.read(Array(record.replacing(text, with: replacement).utf8))
        }
        #expect(error?.found == found)
    }

    @Test(
        "A phone's id is the pseudonym that a gateway gives it, and nothing else",
        arguments: [
            "foo", "", String(repeating: "A", count: 32), String(repeating: "a", count: 31),
            String(repeating: "a", count: 33),
            String(repeating: "g", count: 32), "campus/main/1/east",
        ])
    func phoneIDs(id: String) throws {
        let subjects: [Subject] = [
            .exposureNotification(RollingProximityIdentifier(bits: 3)),
            .contactUser(.bleProximity, 42), .contactUser(.further, 42), .contactUser(.c19x, 42),
            .contactUser(.herald, 42),
        ]
        for subject in subjects {
            let record = String(decoding: try Self.bytes(of: subject), as: UTF8.self)
            guard case .interaction(let read) = try RecordReader.read(Array(record.utf8)) else {
                Issue.record("no interaction")
                continue
            }
            let error = #expect(throws: RecordReader.Defect.self) {
                try RecordReader.read(Array(record.replacing("\"\(read.subject.id)\"", with: "\"\(id)\"").utf8))
            }
            #expect(error?.found == "has a counterpart whose id is not 32 lower-case hexadecimal digits")
            #expect(error?.counted?.position == RecordPosition(boot: 77, sequence: 1))
        }
    }

    @Test
    func `An interaction that is continued ends where the next one begins, any other when its subject was last heard`()
        throws
    {
        let end = Timestamp(microseconds: (morning + 640) * 1_000_000)
        let reasons: [(Interaction.EndReason, Int64)] = [
            (.continued, 640), (.departed, 600), (.lost, 600), (.shutdown, 600),
        ]
        for (reason, seconds) in reasons {
            let bytes = try Self.bytes(of: .beacon(Self.beacon), ending: .init(at: end, reason: reason))
            guard case .interaction(let record) = try RecordReader.read(bytes) else {
                Issue.record("no interaction")
                continue
            }
            #expect(record.end == morning + seconds, "\(reason)")
        }
    }

    @Test(
        "A record with something wrong in it has come all the same, and leaves no gap",
        arguments: [
            ("\"endReason\":\"departed\"", "\"endReason\":\"evaporated\""), ("\"median\":-61", "\"median\":-610"),
            ("\"major\":1,", "\"major\":70000,"), ("\"kind\":\"gateway\"", "\"kind\":7"), ("/77/i5", "/77/i5x"),
        ])
    func counted(text: String, replacement: String) throws {
        let ending = Interaction.Ending(at: Timestamp(microseconds: (morning + 640) * 1_000_000), reason: .departed)
        let record = String(decoding: try Self.bytes(of: .beacon(Self.beacon), ending: ending), as: UTF8.self)
        #expect(record.contains(text), "\(record)")
        let changed = Array(record.replacing(text, with: replacement).utf8)
        let error = #expect(throws: RecordReader.Defect.self) {
            try RecordReader.read(changed, gateway: "campus/main/1/east")
        }
        #expect(
            error?.counted
                == .other(gateway: "campus/main/1/east", position: RecordPosition(boot: 77, sequence: 1)))
        let foreign = #expect(throws: RecordReader.Defect.self) {
            try RecordReader.read(changed, gateway: "campus/main/1/west")
        }
        #expect(foreign?.counted == nil)
    }

    @Test(
        "An end without its time or reason, or before its start, is none",
        arguments: [
            ("endedAt\":\"2026", "endedAt\":\"2025", "has an endedAt before startedAt"),
            ("endedAt\":\"2026", "endedAt\":\"soon", "has no valid time in endedAt"),
            ("endedAt\":\"2026", "endedAt\":\"2027", "has an endedAt more than a day after startedAt"),
            ("endedAt\":\"2026-11-02T08:10:40", "endedAt\":\"2026-11-02T08:09:40", "has an endedAt before lastSeenAt"),
            ("endedAt", "finishedAt", "is of the type interaction.ended, but lacks endedAt or endReason"),
            ("endReason", "reason", "is of the type interaction.ended, but lacks endedAt or endReason"),
            (
                "interaction.ended", "interaction.started",
                "has an endedAt or endReason, but is not of the type interaction.ended"
            ),
        ])
    func ends(text: String, replacement: String, found: String) throws {
        let ending = Interaction.Ending(at: Timestamp(microseconds: (morning + 640) * 1_000_000), reason: .departed)
        let record = String(decoding: try Self.bytes(of: .beacon(Self.beacon), ending: ending), as: UTF8.self)
        #expect(record.contains(text), "\(record)")
        let error = #expect(throws: RecordReader.Defect.self) {
            try RecordReader.read(Array(record.replacing(text, with: replacement).utf8))
        }
        #expect(error?.found == found)
        #expect(error?.counted?.position == RecordPosition(boot: 77, sequence: 1))
    }

    @Test func `A record that doesn't say that its clock was synchronized isn't trusted to have been`() throws {
        let text = String(decoding: try Self.bytes(of: .beacon(Self.beacon)), as: UTF8.self)
        for (clock, isSynchronized) in [
            ("\"clock\":\"synchronized\"", true), ("\"clock\":\"unsynchronized\"", false), ("\"other\":1", false),
        ] {
            let changed = text.replacing("\"clock\":\"synchronized\"", with: clock)
            guard case .interaction(let record) = try RecordReader.read(Array(changed.utf8)) else {
                Issue.record("no interaction")
                continue
            }
            #expect(record.clockIsSynchronized == isSynchronized)
        }
    }

    @Test func `The longest place that a gateway may have is read, and a longer one isn't`() throws {
        func read(_ length: Int) throws -> ReceivedRecord {
            var place = Self.place
            place.site = String(repeating: "s", count: length)
            #expect(Topics(prefix: "b", place: place).isShortEnough == (length <= 111))
            return try RecordReader.read(Self.bytes(of: .beacon(Self.beacon), place: place))
        }
        // With "/main/1/east" 123 bytes.
        #expect(try read(111).gateway.utf8.count == 123)
        #expect(throws: RecordReader.Defect.self) { try read(112) }
    }

    @Test func `Nobody speaks for another gateway`() throws {
        let error = #expect(throws: RecordReader.Defect.self) {
            try RecordReader.read(Self.bytes(of: .beacon(Self.beacon)), gateway: "campus/main/1/west")
        }
        #expect(error?.found == "names another gateway than its topic")
    }

    @Test func `Any bytes are a record or a defect`() throws {
        var random = SeededGenerator("records")
        let record = try Self.bytes(of: .beacon(Self.beacon))
        Self.readDamaged(record, times: 2000, &random)
        #expect(throws: RecordReader.Defect.self) {
            try RecordReader.read(Array(repeating: UInt8(ascii: "["), count: RecordReader.longestRecord))
        }
        #expect(throws: RecordReader.Defect.self) {
            try RecordReader.read(Array(repeating: UInt8(ascii: " "), count: RecordReader.longestRecord + 1))
        }
    }

    /// Reads a record that is cut off anywhere, and with a few bytes changed: each is a record or a defect, and none traps.
    static func readDamaged(_ record: [UInt8], times: Int, _ random: inout SeededGenerator) {
        for length in 0..<record.count { _ = try? RecordReader.read(Array(record.prefix(length))) }
        for _ in 0..<times {
            var bytes = record
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] =
                    Bool.random(using: &random)
                    ? UInt8.random(in: .min ... .max, using: &random)
                    : "0123456789-eE.\"{}[],".utf8.randomElement(using: &random) ?? 0
            }
            _ = try? RecordReader.read(bytes)
        }
    }
}

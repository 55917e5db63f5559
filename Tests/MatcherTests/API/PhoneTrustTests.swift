import BeaconModel
import Evidence
import InteractionStore
import Matching
import OperatorText
import TestValues
import Testing

@testable import MatcherCore
@testable import MatcherDaemon
@testable import Publishing

@Suite("What phones are believed and told") struct PhoneTrustTests {
    private static let uuid = "5a0d1e0c-9c2b-4f6e-8f6a-0d9b4a7c1e52"

    // The figures are Python's hmac module's, and the guide's.
    @Test func `A phone's proof follows from its secret and the quarter of an hour`() throws {
        let uuid = try #require(ProximityUUID(Self.uuid))
        let secret = String(repeating: "A", count: 43)
        let beacon = PhoneProof.beacon(uuid: uuid, secret: secret, epoch: 1_992_912)
        #expect(beacon.major == 27740 && beacon.minor == 2929)
        let guide = String(decoding: try Repository.read("docs/guide/matcher/reports.md"), as: UTF8.self)
        #expect(guide.contains("`proof/1992912`, that is major 27740 and minor 2929"))
        let noon: Int64 = 1_793_620_800
        let proofs = PhoneProof.beacons(uuid: uuid, secret: secret, from: noon, to: noon + 1000)
        #expect(proofs.count == 4 && proofs[1].beacon == beacon.description)
        #expect(proofs[1].start == noon && proofs[1].end == noon + 900)
        #expect(Set(proofs).count == 4)
    }

    @Test func `A code is read as people write it, and one wrong character is found`() {
        var random = SeededGenerator("enrolment codes")
        for _ in 0..<200 {
            let code = EnrolmentCode.make(from: random.next())
            let shown = EnrolmentCode.shown(code)
            #expect(shown.count == 14)
            #expect(EnrolmentCode.parse(shown) == code)
            let sloppy = " " + shown.lowercased().replacing("0", with: "o").replacing("1", with: "l") + " "
            #expect(EnrolmentCode.parse(sloppy) == code)
            var wrong = Array(code)
            let place = Int.random(in: 0..<12, using: &random)
            wrong[place] = wrong[place] == "Z" ? "Y" : "Z"
            #expect(EnrolmentCode.parse(String(wrong)) == nil, "\(random.comment)")
        }
        for text in ["", "0000", "0000-0000-000U", "0000-0000-00000", String(repeating: "0", count: 100), "ß"] {
            #expect(EnrolmentCode.parse(text) == nil, "\(text)")
        }
    }

    private static let noon: Int64 = 1_793_620_800
    private static let midnight = noon + 12 * 3600

    /// What somebody is told of these exposures, each of ten minutes.
    private func told(
        _ ends: [Int64], to name: String, at now: Int64, delay: Int64? = 1200, retention: Int64 = 14
    ) throws -> ExposureTelling.Told {
        let subject = try #require(SubjectIdentity(name))
        let policy = try #require(Policy.shipped("further"))
        let telling = ExposureTelling(policy: policy, retention: retention, phoneDelay: delay)
        let exposures = ends.map {
            ExposureSummary(
                subject: subject, place: 1, start: $0 - 600, end: $0, minutes: 10)
        }
        let told = telling.told(exposures, to: subject, now: now)
        let documents = telling.documents(of: told, subject: subject)
        #expect(documents.count == told.days.count)
        return told
    }

    @Test
    func `A phone is told of a day when nobody can tell of it any more, and whoever is heard by gateways at once`()
        throws
    {
        let ends = [Self.noon, Self.noon + 3600, Self.midnight + 600]
        let day = Self.noon / 86_400
        // Until a quarter of an hour after midnight stays of the day are taken, and five minutes later all are matched.
        let over = Self.midnight + 1200
        #expect(try told(ends, to: "phone:ann", at: Self.midnight).days == [])
        #expect(try told(ends, to: "phone:ann", at: over - 1).days == [])
        #expect(try told(ends, to: "phone:ann", at: over).days == [day])
        #expect(try told(ends, to: "phone:ann", at: over + 86_400 - 1).days == [day])
        #expect(try told(ends, to: "phone:ann", at: over + 86_400).days == [day + 1, day])
        for told in [
            try told(ends, to: "phone:ann", at: Self.noon + 7200, delay: nil),
            try told(ends, to: "badge:\(Self.uuid)/1/1", at: Self.noon + 7200),
        ] {
            // What is still to come isn't over.
            #expect(told.days == [day])
        }
    }

    @Test func `Where stays are taken for a day, phones are told of a day another day later`() throws {
        var settings = PhoneSettings()
        #expect(settings.tellingDelay == 1200)
        settings.uploadWithin = 86_400
        #expect(settings.tellingDelay == 86_700)
        let (day, over) = (Self.noon / 86_400, Self.midnight + 86_400 + 300)
        for retention: Int64 in [14, 2] {
            func days(_ now: Int64) throws -> [Int64]? {
                try told([Self.noon], to: "phone:ann", at: now, delay: settings.tellingDelay, retention: retention).days
            }
            #expect(try days(over - 1) == [])
            #expect(try days(over) == [day])
        }
        settings.tellsNextDay = false
        #expect(settings.tellingDelay == nil)
    }

    // Whoever asks often sees a change at midnight and at 0:20 only, also when an exposure is over and when it is deleted.
    @Test func `What a phone is told changes with the day alone`() throws {
        for (end, retention) in [
            (Self.noon, Int64(14)), (Self.noon + 25_200, 14), (Self.noon, 3), (Self.noon, 2), (Self.midnight + 300, 2),
        ] {
            var before: [Int64]?
            for step in Int64(0)..<24 * 6 * 16 {
                let now = Self.midnight - 12 * 3600 + step * 600 + 1
                // It is deleted then.
                let isThere = end >= now - retention * 86_400
                let days = try told(isThere ? [end] : [], to: "phone:ann", at: now, retention: retention).days
                if let before, before != days { #expect([1, 1201].contains(now % 86_400), "\(end) \(step)") }
                before = days
            }
        }
    }

    @Test func `Codes that fail are counted by address and in all, and good ones aren't`() {
        var tries = EnrolmentTries()
        for _ in 0..<1000 {
            #expect(tries.take("good", now: .zero) == nil)
            tries.succeeded("good")
        }
        for _ in 0..<EnrolmentTries.perAddress { #expect(tries.take("a", now: .zero) == nil) }
        #expect(tries.take("a", now: .zero) == 2)
        var taken = EnrolmentTries.perAddress
        for address in 0..<100 {
            for _ in 0..<EnrolmentTries.perAddress where tries.take("b\(address)", now: .zero) == nil { taken += 1 }
        }
        #expect(taken == EnrolmentTries.inAll)
        #expect(tries.take("good", now: .zero) == 1)
        // Who only waited has lost nothing.
        #expect(tries.take("good", now: .seconds(10)) == nil)
    }

    @Test func `Settings that believe phones too much are warned of, and what can't work is said`() throws {
        func configuration(_ text: String) throws -> MatcherConfiguration {
            try MatcherConfiguration.parse(text, path: "m.toml", readFile: { _ in [] })
        }
        let api = """
            [api]
            listen = "127.0.0.1:8480"

            """
        #expect(try configuration("").warnings == [] && configuration("").phoneNote == nil)
        let standard = try configuration(api)
        #expect(standard.warnings == [] && standard.phoneNote?.contains("phones.proof-uuid is missing") == true)
        let safe = try configuration(api + "[phones]\nproof-uuid = \"\(Self.uuid)\"\n")
        #expect(safe.warnings == [] && safe.phoneNote == nil)
        let unsafe = try configuration(
            api + "[phones]\nenrolment = \"open\"\nunproven-stays = true\ntell = \"at-once\"\n")
        #expect(
            unsafe.warnings.map(\.key) == ["phones.enrolment", "phones.unproven-stays", "phones.tell"])
        #expect(unsafe.phoneNote == nil)
        #expect(
            unsafe.warnings.first?.text
                == "phones.enrolment is \"open\": anyone can create any number of phones; use \"code\", and issue "
                + "codes "
                + "to known people: beacon-matcher enrolment issue")
    }
}

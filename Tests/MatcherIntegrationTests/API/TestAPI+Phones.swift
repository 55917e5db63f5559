import BeaconModel
import InteractionStore
import Matching
import Testing

@testable import MatcherCore

extension PhoneSettings {
    /// Phones enrol without a code, and prove their stays.
    static var proving: PhoneSettings {
        var phones = PhoneSettings()
        (phones.needsCode, phones.proofUUID) = (false, ProximityUUID("5a0d1e0c-9c2b-4f6e-8f6a-0d9b4a7c1e52"))
        return phones
    }
}

extension TestAPI {
    /// A time in RFC 3339, so many minutes after `morning`.
    static func time(_ minute: Int64) -> String {
        Timestamp(microseconds: (morning + minute * 60) * 1_000_000).rfc3339
    }

    /// Issues a code with which so many phones enrol.
    func enrolmentCode(uses: Int = 1, expires: Int64 = .max / 2) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let code = EnrolmentCode.make(from: generator.next())
        try store.use { try $0.issue(codes: [code], label: "test", uses: uses, expires: expires, now: 0) }
        return EnrolmentCode.shown(code)
    }

    /// Enrols a phone with a code.
    func enrol(_ code: String) async throws -> Phone {
        let answer = try await post("/v1/phones", #"{"code":"\#(code)"}"#)
        #expect(answer.status == 201, "\(answer.text)")
        let id = try answer.member("id")
        return Phone(
            id: id, secret: try answer.member("secret"),
            identity: try #require(SubjectIdentity(kind: "phone", id: id)))
    }
}

extension TestAPI.Phone {
    /// What the phone tells of each minute beside a beacon.
    func batch(_ minutes: ClosedRange<Int64>, minor: Int = 1) -> String {
        let readings = stride(from: minutes.lowerBound, through: minutes.upperBound, by: 1).map { minute in
            #"{"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","major":1,"minor":\#(minor),"distance":1,"timestamp":"\#(TestAPI.time(minute))"}"#
        }
        return #"{"phone":"\#(id)","interactions":[\#(readings.joined(separator: ","))]}"#
    }

    /// The beacon that the phone says as a proof, so many minutes after `morning`.
    func proof(at minute: Int64) throws -> BeaconID {
        try proof(in: (morning + minute * 60) / PhoneProof.epoch)
    }

    /// The beacon that the phone says as a proof in a quarter of an hour.
    func proof(in epoch: Int64) throws -> BeaconID {
        PhoneProof.beacon(uuid: try #require(PhoneSettings.proving.proofUUID), secret: secret, epoch: epoch)
    }
}

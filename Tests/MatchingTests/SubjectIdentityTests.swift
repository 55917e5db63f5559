import Matching
import Testing

@Suite struct SubjectIdentityTests {
    @Test func `A subject is written as its kind and its id`() {
        let badge = SubjectIdentity("badge:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/2")
        #expect(badge?.description == "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2")
        #expect(SubjectIdentity("phone:AbC:1")?.id == "AbC:1")
    }

    @Test func `A badge's UUID may be without hyphens, and becomes what records call it`() {
        let badge = SubjectIdentity("badge:E2C56DB5DFFB48D2B060D0F5A71096E0/1/02")
        #expect(badge?.description == "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2")
    }

    @Test(arguments: [
        "xyz", "e2c56db5-dffb-48d2-b060-d0f5a71096eO/1/2", "e2c56db5-dffb-48d2-b060-d0f5a71096e/1/2",
        "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1", "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/65536",
        "e2c56db5-dffb-48d2-b060-d0f5a71096e0/+1/2", "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2/3",
    ])
    func `What is no identity of a beacon is no badge`(id: String) {
        #expect(SubjectIdentity("badge:" + id) == nil)
        #expect(SubjectIdentity(writtenKind: "badge", id: id) == nil)
        #expect(SubjectIdentity.allowed(insteadOf: "badge:" + id).hasPrefix("must be badge:UUID/MAJOR/MINOR"))
    }

    @Test(arguments: ["", "badge", "badge:", ":1", "Badge:1", "a b:1", "phone:a b", "phone:\u{7}", "phone:ä"])
    func `Anything else is nobody`(text: String) {
        #expect(SubjectIdentity(text) == nil)
        #expect(SubjectIdentity("phone:" + String(repeating: "x", count: 129)) == nil)
    }
}

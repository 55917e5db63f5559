import Publishing
import Testing

@testable import Gateway

@Suite("Client identifier after a refusal") struct BrokerUserNameTests {
    private func next(_ user: String?, _ clientID: String, _ cause: MQTTError.Cause) -> String? {
        BrokerConfiguration(host: "localhost", port: 1883, clientID: clientID, username: user)
            .namedAsUser(after: MQTTError(broker: "localhost:1883", cause: cause))?.clientID
    }

    @Test(
        "A broker that ties users to identifiers is asked again with the user's name",
        arguments: [4, 5, 134, 135] as [Int32])
    func refused(reason: Int32) {
        #expect(next("analyst_reports", "analyst_reports_7", .refused(reason)) == "analyst_reports")
    }

    @Test func `It is asked again once`() {
        #expect(next("analyst_reports", "analyst_reports", .refused(5)) == nil)
    }

    @Test func `A gateway's session is not ended by a tool that comes as its user`() {
        #expect(next("campus/main/1/east", "campus/main/1/east_7", .refused(5)) == nil)
    }

    @Test func `Other errors have other remedies`() {
        #expect(next("analyst_reports", "analyst_reports_7", .refused(3)) == nil)
        #expect(next("analyst_reports", "analyst_reports_7", .closed) == nil)
        #expect(next(nil, "bg_tail_1f", .refused(5)) == nil)
    }
}

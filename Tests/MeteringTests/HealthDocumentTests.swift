import Metering
import Testing
import Watching

@Suite("The answer of /healthz") struct HealthDocumentTests {
    private func text(_ liveness: Liveness) -> String {
        String(decoding: HealthDocument(liveness).encoded, as: UTF8.self)
    }

    @Test("A program that works says so in one line")
    func working() {
        #expect(
            text(Liveness(receiving: .working, storing: .working, delivering: .working)) == """
                {"delivering":{"state":"working"},"live":true,"receiving":{"state":"working"},\
                "storing":{"state":"working"}}

                """)
    }

    @Test("What fails comes with what to do, and what is awaited with its name")
    func failing() {
        #expect(
            text(
                Liveness(
                    receiving: .starting("first scan of hci0"), storing: .working,
                    delivering: .failing(what: "the broker is \"gone\"", remedy: "start it"), notes: ["a note"]))
                    == """
                    {"delivering":{"remedy":"start it","state":"failing","what":"the broker is \\"gone\\""},"live":false,\
                    "notes":["a note"],"receiving":{"state":"starting","what":"first scan of hci0"},\
                    "storing":{"state":"working"}}

                    """)
    }

    @Test("A program that has not looked at its work is not live")
    func unknown() {
        #expect(!HealthDocument(.unknown).live)
    }

    @Test("A gateway without its broker keeps its records, and is not live for those who watch")
    func withoutBroker() {
        let working = Liveness(receiving: .working, storing: .working, delivering: .working)
        let present = working.present(isConnected: false, waiting: 1)
        #expect(!present.isLive)
        #expect(text(present).contains("the broker is not connected, waiting records: 1"))
        #expect(working.present(isConnected: true, waiting: 1) == working)
    }

    @Test("What the gateway itself says of delivering stays")
    func ownReason() {
        let failing = Liveness(
            receiving: .working, storing: .working, delivering: .failing(what: "the outbox is full", remedy: nil))
        #expect(failing.present(isConnected: false, waiting: 7) == failing)
    }
}

import HCI
import ModuleDialogues
import RecordContract
import Testing
import Watching

@testable import GatewayCore

@Suite("The state of a gateway") struct LocalStatusTests {
    private func problems(_ change: (inout LocalFacts) -> Void) throws -> [String] {
        LocalStatus(try LocalStatusFixture.facts(change)).problems.map { "\($0.subject): \($0.what)" }
    }

    @Test func `What is missing and what is away are its problems`() throws {
        #expect(
            try problems { _ in } == [
                "broker: cannot connect to broker.example:8883: Connection refused",
                "module hall: is not plugged in",
            ])
    }

    @Test func `It works when nothing is missing and nothing is away`() throws {
        let facts = try LocalStatusFixture.facts {
            $0.modules.removeLast()
            $0.broker.connection = ("broker.example:8883", "5")
        }
        #expect(LocalStatus(facts).works)
    }

    @Test func `A gateway that has only begun to connect works`() throws {
        let facts = try LocalStatusFixture.facts {
            $0.modules.removeLast()
            $0.broker.lastError = nil
            $0.liveness.receiving = .starting("first scan of hci0")
        }
        #expect(LocalStatus(facts).works)
    }

    @Test func `What fails of its work comes first, and is said once`() throws {
        let found = try problems {
            $0.liveness.delivering = .failing(what: "the broker is not connected, and the outbox is full", remedy: nil)
        }
        #expect(
            found == [
                "delivering: the broker is not connected, and the outbox is full", "module hall: is not plugged in",
            ])
    }

    @Test func `An adapter that is deaf is a problem while another one receives`() throws {
        let found = try problems {
            var deaf = RadioReport(name: "hci1")
            deaf.state = LocalStatusFixture.state(1, .deaf)
            $0.radios.append(deaf)
        }
        #expect(found.contains("adapter hci1: receives nothing"))
    }

    @Test func `A module that fails is a problem with what to do`() throws {
        let status = LocalStatus(
            try LocalStatusFixture.facts {
                $0.modules[1].condition = .notHeard
                $0.modules[1].problem = .notHeard
            })
        let problem = try #require(status.problems.last)
        #expect(problem.subject == "module hall" && problem.remedy != nil)
    }

    @Test func `The document is read as it was written`() throws {
        let status = LocalStatus(try LocalStatusFixture.facts())
        #expect(try JSON.decode(LocalStatus.self, from: status.encoded) == status)
    }
}

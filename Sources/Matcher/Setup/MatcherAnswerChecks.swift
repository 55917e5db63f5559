import ArgumentParser
import BeaconModel
import CommandSupport
import HTTPClient
import InteractionStore
import OperatorText
import Setup
import SignIn
import SystemIO

/// Checks answers to the questions of a matcher's setup.
struct MatcherAnswerChecks {
    /// Password of the present configuration.
    var password: String?

    func run(
        _ test: MatcherSetup.Test, _ interview: SetupInterview<MatcherSetup>
    ) async throws -> ([DoctorFinding], Never?) {
        let answers = interview.answers
        switch test {
        case .broker: return ([await broker(answers, interview.script)], nil)
        case .store: return ([try await store(answers)], nil)
        case .identityProvider: return ([await provider(answers["login.issuer"] ?? "")], nil)
        }
    }

    private func broker(_ answers: SetupAnswers, _ script: MatcherSetup) async -> DoctorFinding {
        let prefix = answers["mqtt.prefix"] ?? "beacons"
        let identifier = "beacon-matcher-setup-\(SetupMachine.randomDigits(bytes: 8))"
        return await BrokerTest.finding(
            script.brokerQuestions.broker(answers, clientID: identifier, password: password), of: "the matcher",
            publishing: "beacon-matcher/probe/\(identifier)", subscribing: ["\(prefix)/v1/#"],
            createsUser: answers.isYes("mqtt.create-user"), hasMosquitto: script.machine.broker != .none)
    }

    private func store(_ answers: SetupAnswers) async throws -> DoctorFinding {
        // The present store, whose location is in a file.
        guard let text = MatcherSetup.location(answers), let location = StoreLocation(text) else {
            return DoctorFinding("store", .skipped, "the present one is kept")
        }
        let result = try await DedicatedThread.run(name: "store") {
            Result { try InteractionStore.examine(location) }
        }
        switch result {
        case .success(.file): return DoctorFinding("store", .ok, "\(location) exists")
        case .success(.writableDirectory): return DoctorFinding("store", .ok, "\(location) will be created")
        case .success(.server): return DoctorFinding("store", .ok, "\(location) accepted the matcher")
        case .success(.noDirectory(let directory)):
            let isOfService = directory == "/var/lib/beacon-matcher"
            return DoctorFinding(
                "store", isOfService ? .warning : .failed, "there is no directory \(directory)",
                [
                    DoctorFinding.Remedy(
                        "sudo install -d -o beacon-matcher -m 700 \(ShellWord.quote(directory))",
                        isOfService ? "creates it; the service does so too" : "creates it")
                ])
        case .failure(let error):
            let remedy = (error as? any OperatorError)?.remedy
            return DoctorFinding("store", .failed, error.inOneLine, remedy.map { [.edit(nil, $0)] } ?? [])
        }
    }

    private func provider(_ issuer: String) async -> DoctorFinding {
        func failed(_ found: String, _ remedy: String) -> DoctorFinding {
            DoctorFinding("login", .failed, found, [.edit(nil, remedy)])
        }
        let url = ProviderMetadata.discoveryURL(of: issuer)
        do {
            let answer = try await HTTPClient().send(
                HTTPClient.Request("GET", url, timeout: .seconds(10), limit: 256 * 1024))
            guard answer.status == 200 else {
                return failed(
                    "\(url) answers with status \(answer.status)",
                    "check the issuer: it is what the provider calls itself, without /.well-known/...")
            }
            _ = try ProviderMetadata(answer.body, issuer: issuer)
            return DoctorFinding("login", .ok, "\(issuer) is an identity provider")
        } catch let error as SignInError {
            return failed("\(url): \(error.what)", "write the issuer as the provider writes it")
        } catch {
            return failed("\(url): \(error.inOneLine)", "check the address, and that this machine reaches it")
        }
    }
}

/// Exit status of a setup that kept what a test refused.
enum SomethingIsLeft {
    static var status: ArgumentParser.ExitCode { ArgumentParser.ExitCode(ExitStatus.unavailable.rawValue) }
}

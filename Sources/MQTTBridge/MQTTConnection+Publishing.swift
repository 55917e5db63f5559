import BeaconModel
import Logging
import Publishing
import RecordContract
import SystemIO

/// A connection as `PublisherMachine` sees it.
extension MQTTConnection {
    /// Opens a connection.
    static func open(
        _ attempt: PublisherMachine.Attempt, _ configuration: BrokerConfiguration, logger: Logger
    ) throws(ConnectionFailure) -> MQTTConnection {
        let connection: MQTTConnection
        do throws(MQTTError) {
            connection = try MQTTConnection(
                configuration: configuration, endpoint: attempt.endpoint, version: attempt.version,
                will: attempt.will, session: attempt.session)
        } catch {
            throw .broker(error)
        }
        PublisherNotice.connecting(attempt.endpoint, attempt.version).log(to: logger)
        do throws(SystemError) {
            try connection.start()
        } catch {
            throw .system(error)
        }
        return connection
    }

    /// Takes what an event announces.
    func take(_ event: Event) -> PublisherMachine.ConnectionEvent {
        switch event {
        case .connected(let session): .accepted(session)
        case .acknowledged: .acknowledged(takeAcknowledged())
        case .rejected(let number, let reason): .rejected(number, reason: reason)
        case .subscribed(let number, let isGranted): .subscribed(number, isGranted: isGranted)
        case .message(let message): .received(message, dropped: taken(message))
        }
    }

    func send(_ message: MQTTMessage, as awaited: AwaitedMessages.Message) -> PublisherMachine.Input {
        do throws(MQTTError) {
            return .sent(awaited, number: try publish(message))
        } catch {
            return .notSent(message, as: awaited, error)
        }
    }

    /// Hands records over, up to the first error of the connection.
    ///
    /// - Parameter signer: signs the records; `nil`: they are not signed.
    func send(_ entries: [OutboxEntry], signer: SigningKey?) -> PublisherMachine.Input {
        defer { wake() }
        var results: [Result<Int32, MQTTError>] = []
        results.reserveCapacity(entries.count)
        for entry in entries {
            do throws(MQTTError) {
                let payload =
                    signer.map { MessageTag.adding(to: entry.payload, key: $0, for: .record) } ?? entry.payload
                let properties: MQTTPropertyList = entry.isHistorical ? .historicalRecord : .record
                results.append(.success(try publish(payload, topic: entry.topic, properties: properties)))
            } catch {
                results.append(.failure(error))
                if !error.isAboutMessage { break }
            }
        }
        return .recordsSent(entries, results)
    }

    func request(_ subscription: PublisherMachine.Subscription, _ filter: String) -> PublisherMachine.Input {
        do throws(MQTTError) {
            return .requested(subscription, number: try subscribe(to: filter))
        } catch {
            return .notRequested(subscription, error)
        }
    }
}

import BeaconModel
import CMosquitto
import Glibc
package import Publishing
import RecordContract
import SystemIO

extension MosquittoHandle {
    /// Additional in-flight slots beside the window, so that a status never waits behind records.
    private static let reserve = 10

    /// Creates a handle that can connect.
    ///
    /// - Parameters:
    ///   - will: the message that the broker publishes if this process disappears without a DISCONNECT.
    ///   - session: whether the broker keeps the subscriptions while this client is disconnected.
    ///   - receivesBatches: whether received messages are stored before they are acknowledged.
    static func make(
        _ configuration: BrokerConfiguration, _ endpoint: BrokerEndpoint, _ version: MQTTVersion,
        will: MQTTMessage?, session: SessionKeeping, receivesBatches: Bool
    ) throws(MQTTError) -> MosquittoHandle {
        let broker = endpoint.description
        let isClean = session == .never || version == .threeOneOne && session == .whereItExpires
        let isVerified = configuration.tls.map { $0.preSharedKey == nil && $0.verifiesServer } ?? false
        let handle: MosquittoHandle
        do throws(MosquittoFailure) {
            handle = try MosquittoHandle(
                clientID: configuration.clientID, isClean: isClean, verifying: isVerified ? endpoint.host : nil)
        } catch {
            throw MQTTError(broker: broker, cause: .system(error.errorNumber))
        }
        try handle.setUp(configuration, broker, version, will: will, receivesBatches: receivesBatches)
        return handle
    }

    private func setUp(
        _ configuration: BrokerConfiguration, _ broker: String, _ version: MQTTVersion, will: MQTTMessage?,
        receivesBatches: Bool
    ) throws(MQTTError) {
        func check(_ status: Int32) throws(MQTTError) { try Self.check(status, broker) }
        mosquitto_threaded_set(pointer, true)
        mosquitto_int_option(pointer, MOSQ_OPT_PROTOCOL_VERSION, version.option)
        mosquitto_max_inflight_messages_set(pointer, UInt32(configuration.inFlight + Self.reserve))
        // Received messages have a window of their own, whose default in libmosquitto is 20.
        if receivesBatches {
            mosquitto_int_option(pointer, MOSQ_OPT_RECEIVE_MAXIMUM, Int32(min(max(configuration.inFlight, 1), 65_535)))
        }
        mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1)
        if let username = configuration.username {
            try check(mosquitto_username_pw_set(pointer, username, configuration.password))
        }
        if let will {
            try check(
                mosquitto_will_set(
                    pointer, will.topic, Int32(will.payload.count), will.payload, will.qualityOfService.rawValue,
                    will.isRetained))
        }
        if let tls = configuration.tls { try secure(tls, broker) }
    }

    private func secure(_ tls: TLSConfiguration, _ broker: String) throws(MQTTError) {
        func check(_ status: Int32) throws(MQTTError) { try Self.check(status, broker) }
        if let secret = tls.preSharedKey {
            try check(mosquitto_tls_psk_set(pointer, secret.key, secret.identity, nil))
            return
        }
        if let context = self.tls {
            mosquitto_void_option(pointer, MOSQ_OPT_SSL_CTX, context.pointer)
            mosquitto_int_option(pointer, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 1)
        }
        for path in [tls.certificate, tls.key, tls.authority.path].compactMap(\.self) where access(path, R_OK) != 0 {
            throw MQTTError(broker: broker, cause: .credentials("\(path): \(SystemError.text(errno))"))
        }
        let status =
            if let path = tls.authority.path {
                mosquitto_tls_set(pointer, path, nil, tls.certificate, tls.key, nil)
            } else {
                // The operating system's certificates are loaded in addition to those in the directory.
                mosquitto_tls_set(pointer, nil, "/etc/ssl/certs", tls.certificate, tls.key, nil)
            }
        guard status == Int32(MOSQ_ERR_SUCCESS.rawValue) else {
            throw MQTTError(broker: broker, cause: .credentials(String(cString: mosquitto_strerror(status))))
        }
        if tls.authority.path == nil { mosquitto_int_option(pointer, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
        if !tls.verifiesServer {
            try check(mosquitto_tls_opts_set(pointer, 0, nil, nil))
            try check(mosquitto_tls_insecure_set(pointer, true))
        }
    }

    private static func check(_ status: Int32, _ broker: String) throws(MQTTError) {
        guard status == Int32(MOSQ_ERR_SUCCESS.rawValue) else {
            throw MQTTError(broker: broker, cause: .library(status))
        }
    }
}

extension TLSConfiguration.Authority {
    package var path: String? {
        switch self {
        case .system: nil
        case .file(let path): path
        }
    }
}

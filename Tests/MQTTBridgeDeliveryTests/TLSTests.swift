import BeaconModel
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

/// A real mosquitto behind TLS.
@Suite(.timeLimit(.minutes(10))) struct TLSTests {
    private func listener(_ certificates: TestCertificates, _ server: TestCertificates.Pair, _ more: String = "")
        -> String
    {
        """
        allow_anonymous true
        user root
        cafile \(certificates.authority)
        certfile \(server.certificate)
        keyfile \(server.key)
        \(more)
        """
    }

    private func configuration(
        _ broker: TestBroker, host: String = "localhost", _ certificates: TestCertificates,
        client: TestCertificates.Pair? = nil
    ) -> BrokerConfiguration {
        var configuration = BrokerConfiguration(host: host, port: broker.port, clientID: "gateway")
        var tls = TLSConfiguration()
        tls.authority = .file(certificates.authority)
        tls.certificate = client?.certificate
        tls.key = client?.key
        configuration.tls = tls
        return configuration
    }

    /// Expects that a connection fails, and gives the error.
    private func failure(_ configuration: BrokerConfiguration) async throws -> MQTTError? {
        try await DeliveryRig.with(configuration) { rig in
            _ = await eventually {
                if await rig.publisher.isConnected { return true }
                return await rig.publisher.lastError != nil
            }
            #expect(await !rig.publisher.isConnected)
            return await rig.publisher.lastError
        }
    }

    @Test("Records reach a broker whose certificate the named authority has signed, by name and by address")
    func trusted() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        try await TestBroker.with(configuration: listener(certificates, server)) { broker in
            for host in ["localhost", "127.0.0.1"] {
                try await DeliveryRig.with(configuration(broker, host: host, certificates)) { rig in
                    #expect(await eventually { await rig.publisher.isConnected }, "\(host)")
                    await rig.publish(1...100)
                    #expect(await eventually { await rig.outbox.status(at: .now()).records == 0 })
                }
            }
        }
    }

    @Test("An expired certificate is refused, with what to do")
    func expired() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.expiredServer()
        try await TestBroker.with(configuration: listener(certificates, server)) { broker in
            let error = try await failure(configuration(broker, certificates))
            #expect(error?.what.contains("certificate has expired") == true, "\(error?.what ?? "")")
            #expect(error?.remedy?.contains("renew the broker's certificate") == true)
        }
    }

    @Test("A certificate that nobody has signed is refused, with what to do")
    func selfSigned() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.selfSignedServer()
        try await TestBroker.with(configuration: listener(certificates, server)) { broker in
            let error = try await failure(configuration(broker, certificates))
            #expect(error?.what.contains("self-signed certificate") == true, "\(error?.what ?? "")")
            #expect(error?.remedy?.contains("mqtt.tls.ca-file") == true)
        }
    }

    @Test("A certificate of another host is refused, with what to do")
    func wrongHost() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.otherServer()
        try await TestBroker.with(configuration: listener(certificates, server)) { broker in
            let error = try await failure(configuration(broker, certificates))
            #expect(error?.what.contains("certificate of another host") == true, "\(error?.what ?? "")")
            #expect(error?.remedy?.contains("mqtt.host") == true)
        }
    }

    @Test("A certificate of a private authority is refused where only the system's are trusted")
    func systemStore() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        try await TestBroker.with(configuration: listener(certificates, server)) { broker in
            var configuration = configuration(broker, certificates)
            configuration.tls = TLSConfiguration()
            let error = try await failure(configuration)
            guard case .certificate(_?)? = error?.cause else {
                Issue.record("\(error?.what ?? "no error")")
                return
            }
        }
    }

    @Test("Only who says so expressly connects to a broker that can't be verified")
    func unverified() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.expiredServer()
        try await TestBroker.with(configuration: listener(certificates, server)) { broker in
            var configuration = configuration(broker, certificates)
            configuration.tls?.verifiesServer = false
            try await DeliveryRig.with(configuration) { rig in
                #expect(await eventually { await rig.publisher.isConnected })
            }
        }
    }

    @Test("A broker that wants a client's certificate takes the right one and refuses none")
    func clientCertificate() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        let lines = listener(certificates, server, "require_certificate true\nuse_identity_as_username true")
        try await TestBroker.with(configuration: lines) { broker in
            let client = try await certificates.client("gateway-a")
            try await DeliveryRig.with(configuration(broker, certificates, client: client)) { rig in
                #expect(await eventually { await rig.publisher.isConnected })
                #expect(await broker.log(containing: "u'gateway-a'") != nil)
            }
            #expect(try await failure(configuration(broker, certificates)) != nil)
        }
    }

    @Test("A client's certificate that was renewed is used without a restart, and nothing is lost")
    func renewed() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        let lines = listener(certificates, server, "require_certificate true\nuse_identity_as_username true")
        try await TestBroker.with(configuration: lines) { broker in
            let client = try await certificates.client("gateway-a")
            try await DeliveryRig.with(configuration(broker, certificates, client: client)) { rig in
                #expect(await broker.log(containing: "u'gateway-a'") != nil)
                await rig.publish(1...100)
                let renewed = try await certificates.client("gateway-b")
                // The key first: the pair fits together only when both are there.
                try FileContents.rename(renewed.key, to: client.key)
                try FileContents.rename(renewed.certificate, to: client.certificate)
                #expect(await broker.log(containing: "as gateway ", "u'gateway-b'") != nil)
                await rig.publish(101...200)
                #expect(await eventually { await rig.outbox.status(at: .now()).records == 0 })
            }
        }
    }

    @Test("A renewed certificate that doesn't work leaves the connection as it is")
    func renewedBadly() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        let lines = listener(certificates, server, "require_certificate true")
        try await TestBroker.with(configuration: lines) { broker in
            let client = try await certificates.client("gateway-a")
            let proxy = try CuttingProxy(to: broker.port)
            var configuration = configuration(broker, certificates, client: client)
            configuration.endpoints[0].port = proxy.port
            try await DeliveryRig.with(configuration) { rig in
                #expect(await eventually { await rig.publisher.isConnected })
                let key = try await certificates.client("gateway-b").key
                try FileContents.rename(key, to: client.key)
                // It is tried at once, and fails before the network.
                for _ in 0..<20 {
                    try await Task.sleep(for: .milliseconds(50))
                    #expect(await rig.publisher.isConnected)
                }
                await rig.publish(1...100)
                #expect(await eventually { await rig.outbox.status(at: .now()).records == 0 })
            }
            proxy.close()
        }
    }

    @Test("A pre-shared key lets in without certificates; a wrong one doesn't")
    func preSharedKey() async throws {
        let directory = try TemporaryDirectory()
        let keys = try directory.write("keys", "gateway-a:00112233445566778899aabbccddeeff\n")
        let lines = "allow_anonymous true\nuser root\npsk_hint beacons\npsk_file \(keys)"
        try await TestBroker.with(configuration: lines) { broker in
            var configuration = BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "gateway")
            var tls = TLSConfiguration()
            tls.preSharedKey = .init(identity: "gateway-a", key: "00112233445566778899aabbccddeeff")
            configuration.tls = tls
            try await DeliveryRig.with(configuration) { rig in
                #expect(await eventually { await rig.publisher.isConnected })
                await rig.publish(1...100)
                #expect(await eventually { await rig.outbox.status(at: .now()).records == 0 })
            }
            configuration.tls?.preSharedKey?.key = "ffeeddccbbaa99887766554433221100"
            #expect(try await failure(configuration) != nil)
        }
    }
}

/// The contract as an AsyncAPI 3.0 document, which is made of `Contract.all`.
public enum AsyncAPIDocument {
    public static var text: String {
        ([head, "channels:"] + Contract.all.map(channel) + ["operations:"] + Contract.all.map(operation)
            + ["components:", "  messages:"] + Contract.all.map(message) + [Self.components])
            .joined(separator: "\n")
    }

    private static let head = #"""
        # Written by `beacon-gateway schema --output-directory docs`; don't edit it.
        # The payloads are schemas/*.schema.json beside this file: the same command writes them all.
        asyncapi: 3.0.0
        info:
          title: Beacon Gateway
          version: \#(Contract.version).\#(Contract.revision).0
          license:
            name: Apache-2.0
            url: https://www.apache.org/licenses/LICENSE-2.0
          description: |
            What a gateway publishes to an MQTT broker, and what it obeys. Every topic begins with
            <prefix>/v\#(Contract.version)/<site>/<building>/<floor>/<gateway>. The second level is the version of this contract:
            within it fields may be added and nothing else changes, so a consumer ignores what it doesn't know. Records
            (interaction, readings, social-distance, module-event) come at least once: deduplicate them by id, and notice missing
            ones by boot and sequence, which count them together. No topic is longer than \#(Topics.longestTopic) bytes.

            Since 1.1 a boot is below 2^53, and of one gateway alone; health.outbox.trouble also tells why a broker that
            can be reached takes nothing; info has sessionTakenOver. Since 1.2 there are readings, which
            health.outbox.evicted counts too. Since 1.3 records, health and commands may be signed (tag), and a command may say
            when it was said (at).
        defaultContentType: application/json
        servers:
          plain:
            host: broker.example.org:1883
            protocol: mqtt
            description: An example. MQTT 5 or 3.1.1, whichever the broker speaks.
            security:
              - $ref: '#/components/securitySchemes/password'
          encrypted:
            host: broker.example.org:8883
            protocol: secure-mqtt
            description: An example. TLS, with a client certificate or a password.
            security:
              - $ref: '#/components/securitySchemes/password'
              - $ref: '#/components/securitySchemes/certificate'
        """#

    private static let components = #"""
          parameters:
            prefix:
              description: The first level, mqtt.prefix of the configuration.
              default: beacons
              x-pattern: '[a-z0-9-]+'
            site:
              description: The site that the gateway is at.
              x-pattern: '[a-z0-9-]+'
            building:
              description: The building.
              x-pattern: '[a-z0-9-]+'
            floor:
              description: The floor.
              x-pattern: '[a-z0-9-]+'
            gateway:
              description: The gateway's name, unique on its floor.
              x-pattern: '[a-z0-9-]+'
            uuid:
              description: The beacon's proximity UUID, in lower case.
              examples: ['e2c56db5-dffb-48d2-b060-d0f5a71096e0']
              x-pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
            major:
              description: The beacon's major number, 0 to 65535.
              x-pattern: '[0-9]{1,5}'
            minor:
              description: The beacon's minor number, 0 to 65535.
              x-pattern: '[0-9]{1,5}'
            module:
              description: The module's name in the inventory.
              x-pattern: '[a-z0-9-]+'
            command:
              description: What shall be done.
              enum: [\#(Contract.commands.joined(separator: ", "))]
            name:
              description: The name of the command, whether there is such a command or not.
              x-pattern: '[a-z0-9-]{1,32}'
          securitySchemes:
            password:
              type: userPassword
              description: The user's name and password of MQTT's CONNECT.
            certificate:
              type: X509
              description: A client certificate, which the broker asks for in the TLS handshake.

        """#

    private static let root = "{prefix}/v\(Contract.version)/{site}/{building}/{floor}/{gateway}/"

    private static func channel(_ contract: Contract) -> String {
        let parameters = parameters(of: root + contract.address)
            .map { "      \($0):\n        $ref: '#/components/parameters/\($0)'" }
        return """
              \(contract.name):
                address: '\(root)\(contract.address)'
                description: \(contract.summary).\(forgotten(contract))
                messages:
                  \(contract.name):
                    $ref: '#/components/messages/\(contract.name)'
                parameters:
            \(parameters.joined(separator: "\n"))
            """
    }

    private static func forgotten(_ contract: Contract) -> String {
        contract.canBeForgotten
            ? " An empty message says that the retained one is forgotten.\n    x-can-be-empty: true" : ""
    }

    private static func operation(_ contract: Contract) -> String {
        let (verb, action) =
            switch contract.sender {
            case .gateway: ("publish", "send")
            case .consumer, .operator: ("obey", "receive")
            }
        let reply =
            contract.name == "command"
            ? "\n    reply:\n      channel:\n        $ref: '#/channels/reply'\n      messages:\n"
                + "        - $ref: '#/channels/reply/messages/reply'" : ""
        return """
              \(verb)-\(contract.name):
                action: \(action)
                summary: \(contract.summary)
                channel:
                  $ref: '#/channels/\(contract.name)'
                messages:
                  - $ref: '#/channels/\(contract.name)/messages/\(contract.name)'
                bindings:
                  mqtt:
                    qos: \(contract.qualityOfService.rawValue)
                    retain: \(contract.isRetained)
                    bindingVersion: 0.2.0\(reply)
            """
    }

    private static func message(_ contract: Contract) -> String {
        """
            \(contract.name):
              name: \(contract.name)
              title: \(contract.summary)
              contentType: application/json
              payload:
                schemaFormat: application/schema+json;version=draft-2020-12
                schema:
                  $ref: ./schemas/\(contract.name).schema.json
        """
    }

    /// What stands in braces.
    private static func parameters(of address: String) -> [String] {
        address.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
            .map { String($0.dropFirst().dropLast()) }
    }
}

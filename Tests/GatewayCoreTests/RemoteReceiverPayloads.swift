import BeaconModel
import RecordContract

/// What nodes publish: the payloads that their sources and their own tests show, with another beacon in them.
enum RemoteReceiverPayloads {
    static let beacon = BeaconID(
        uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 3, minor: 1)

    /// ESPresense 4: smoothed, with decimals.
    static let espresense4 =
        #"{"mac":"dd8800003777","id":"iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-3-1","rssi@1m":-59,"rssi":-81.10,"rxAdj":0,"rssiVar":7.42,"distance":6.58,"var":4.00,"int":2028}"#
    /// ESPresense 3: of one packet.
    static let espresense3 =
        #"{"mac":"dd8800003777","id":"iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-3-1","idType":50,"rssi@1m":-59,"rssi":-72,"raw":3.20,"rssi37":-72,"raw37":3.20,"channel":37,"distance":3.41,"mean":3.3,"var":0.21,"ci":0.2,"int":1032}"#
    /// A device with an alias in the node's settings.
    static let espresenseAlias =
        #"{"mac":"5a3f1c9d0e42","id":"keys","name":"Keys","rssi@1m":-59,"rssi":-72.35,"distance":3.42,"int":1032}"#
    static let espresenseTelemetry =
        #"{"ip":"192.168.1.20","uptime":4711,"firm":"esp32","rssi":-61,"ver":"v4.0.6","adverts":1200,"seen":800,"reported":90,"freeHeap":120000,"maxHeap":80000,"fingerprints":12}"#
    /// Theengs decoder 2.5, by way of both gateways.
    static let theengs =
        #"{"id":"AA:BB:CC:DD:EE:FF","rssi":-67,"brand":"GENERIC","model":"iBeacon","model_id":"IBEACON","type":"BCON","mfid":"4c00","uuid":"e2c56db5dffb48d2b060d0f5a71096e0","major":3,"minor":1,"txpower":-59}"#
    /// A beacon whose measured power can't be one.
    static let theengsVolt =
        #"{"id":"AA:BB:CC:DD:EE:FF","rssi":-67,"txpower":4,"brand":"GENERIC","model":"iBeacon","model_id":"IBEACON","type":"BCON","mfid":"4c00","uuid":"e2c56db5dffb48d2b060d0f5a71096e0","major":3,"minor":1,"volt":4.8}"#
    /// With advertising data and nothing decoded.
    static let openMQTTGatewayData =
        #"{"id":"AA:BB:CC:DD:EE:FF","mac_type":1,"adv_type":0,"manufacturerdata":"4c000215e2c56db5dffb48d2b060d0f5a71096e000030001c5","rssi":-67}"#
    /// A thermometer.
    static let openMQTTGatewaySensor =
        #"{"id":"A4:C1:38:00:11:22","name":"LYWSD03MMC","rssi":-70,"brand":"Xiaomi","model":"TH Sensor","model_id":"LYWSD03MMC","tempc":21.4,"hum":40}"#
    /// A tracker that isn't heard any more.
    static let openMQTTGatewayOffline = #"{"id":"AA:BB:CC:DD:EE:FF","state":"offline"}"#

    static let all = [
        espresense4, espresense3, espresenseAlias, espresenseTelemetry, theengs, theengsVolt, openMQTTGatewayData,
        openMQTTGatewaySensor, openMQTTGatewayOffline,
    ]

    static func message(_ payload: String, topic: String = "t", isRetained: Bool = false) -> MQTTMessage {
        MQTTMessage(topic: topic, payload: Array(payload.utf8), isRetained: isRetained)
    }
}

/// Execution of AT commands and the replies on the serial line (sections 3 and 4).
extension RS9116Emulator {
    package mutating func execute(_ line: CommandLineInput.Line, _ outputs: inout [Output]) {
        // An empty line is the remainder of a line end, not a command.
        guard case .at(var firmware) = state, line != .text([]) else { return }
        do throws(CommandError) {
            var options = options
            options.firmwareVersion = firmwareVersion
            let wasScanning = firmware.runningStack?.isScanning == true
            let answer = try firmware.execute(line, options: options)
            state = .at(firmware)
            let event = options.eventBeforeOK ? Self.scanReport : ""
            if !isReplyLost, !answer.isSilent {
                sendReply(Array((blankLines + event + "OK").utf8) + answer.text + [0x0D, 0x0A], &outputs)
            }
            if !wasScanning, isScanning { beginScan(&outputs) }
            follow(answer.consequence, &outputs)
        } catch {
            if !isReplyLost { sendReply(Array(blankLines.utf8) + error.reply(options.commonErrors), &outputs) }
        }
        countAnsweredCommand(&outputs)
    }

    mutating func finishLoadingBluetooth(_ outputs: inout [Output]) {
        guard case .at(var firmware) = state, firmware.finishLoadingBluetooth() else { return }
        state = .at(firmware)
        if options.bluetoothStart == .announced { send((blankLines + "bt_loaded\r\n").utf8, &outputs) }
    }

    private mutating func follow(_ consequence: Firmware.Consequence, _ outputs: inout [Output]) {
        switch consequence {
        case .none: break
        case .loadBluetooth:
            guard options.bluetoothStart != .never else { return }
            outputs.append(.schedule(timer(.bluetoothLoaded), after: options.bluetoothLoadingDelay))
        case .reset:
            state = .resetting
            outputs.append(.schedule(timer(.reset), after: options.resetDelay + options.responseDelay))
        }
    }

    /// The reference's example of a scan report (4.5), in Silicon Labs' spelling.
    static var scanReport: String {
        "AT+RSIBT_ADVRTISE,addr_type:1,addr:47-AC-F8-C0-C1-D8,RSSI:-63,Type:0,adv_data_len:A,"
            + "adv_data:2,1,1A,6,9,48,65,6C,6C,6F\r\n"
    }
}

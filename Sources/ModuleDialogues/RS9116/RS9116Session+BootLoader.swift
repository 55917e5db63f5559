/// The exchange with the boot loader: its menu, and the loading of firmware.
extension RS9116Session {
    /// Continues after the boot loader's answer to `byte`, which was not sent by this session.
    package mutating func greeted(by byte: UInt8) -> [Output] {
        forgetAnswers()
        understood = .bootLoader
        bootText.removeAll()
        state = .awaitingMenu
        return [
            .step(.handshake(byte)), .line(.send([RS9116BootLoader.greeting])),
            .line(.wait(.seconds(2) + extraPatience)),
        ]
    }

    /// Loads the default firmware from the menu.
    ///
    /// - Parameter key: the number of an image that the boot loader has asked for, instead of the menu's key.
    package mutating func load(key: UInt8 = RS9116BootLoader.loadDefaultKey) -> [Output] {
        load(key: key, tries: 1)
    }

    package mutating func load(key: UInt8, tries: Int) -> [Output] {
        bootText.removeAll()
        state = .loading(key: key, tries: tries, hasBegun: false)
        return [.line(.send([key])), .line(.wait(loadingTime))]
    }

    var loadingTime: Duration { profile.assumes(.loadingAnnounced) ? .seconds(10) : .seconds(3) }

    /// Presses a key at the menu, and reports the boot loader's output until `patience` has elapsed.
    package mutating func press(_ key: UInt8, patience: Duration) -> [Output] {
        bootText.removeAll()
        return [.line(.send([key]))] + listen(patience)
    }

    /// Reports the boot loader's output at the menu until `patience` has elapsed. Earlier output is kept.
    package mutating func listen(_ patience: Duration) -> [Output] {
        state = .atMenu
        return [.line(.wait(patience))]
    }

    mutating func readBootText() -> [Output] {
        switch state {
        case .handshaking(let handshake):
            if bootText.has(RS9116BootLoader.unknownKey) || bootText.has(RS9116BootLoader.menuEnd) {
                return menuIsOpen()
            }
            return bootText.contains(RS9116BootLoader.greeting) ? greeted(by: handshake.byte) : []
        case .awaitingMenu: return bootText.has(RS9116BootLoader.menuEnd) ? menuIsOpen() : []
        case .atMenu: return [.bootText]
        case .loading(let key, let tries, let hasBegun):
            // Earlier output may still arrive, including the invitation to press a key.
            let begun = bootText.indices(of: RS9116BootLoader.loading).first
            guard let begun else {
                // The key was damaged in transit, or the output is older than the key.
                return bootText.has(RS9116BootLoader.unknownKey) ? [.line(.wait(.seconds(1) + extraPatience))] : []
            }
            guard bootText.has(RS9116BootLoader.loaded) else {
                // The boot loader is back at its menu.
                if bootText.indices(of: RS9116BootLoader.invitation).contains(where: { $0 > begun }) {
                    return fail(.firmwareNotLoaded)
                }
                guard !hasBegun else { return [] }
                state = .loading(key: key, tries: tries, hasBegun: true)
                return [.line(.wait(loadingTime))]
            }
            bootText.removeAll()
            parser = ModuleReplyParser()
            forgetAnswers()
            isFresh = true
            return [.step(.firmwareLoaded)] + perform(.firmwareVersion)
        default: return []
        }
    }

    mutating func menuIsOpen() -> [Output] {
        forgetAnswers()
        understood = .bootLoader
        metBootLoader = true
        let warnings = RS9116BootLoader.warnings.filter { bootText.has($0) }
        bootText.removeAll()
        state = .beforeKey
        // The pause lets the rest of the noise pass.
        return warnings.map { .step(.bootWarning($0)) } + [.line(.wait(.milliseconds(50)))]
    }
}

extension AuthenticatorCommand {
    private static let extensions: [TLVTag] = [.criticalExtension, .noncriticalExtension]

    /// Reads a command; its fields may come in any order.
    package init(octets: [UInt8]) throws(TLVError) {
        guard octets.count <= Self.byteLimit else { throw .tooLarge(byteCount: octets.count, limit: Self.byteLimit) }
        var reader = TLVReader(octets[...])
        guard let first = try reader.next() else { throw .truncated(position: 0) }
        let element = try TLVReader.readOnly(first.tag, from: octets)
        switch element.tag {
        case .getInfoCommand:
            _ = try TLVFields(of: element, single: [], repeatable: Self.extensions)
            self = .getInfo
        case .registerCommand: self = .register(try RegisterCommand(element))
        case .signCommand: self = .sign(try SignCommand(element))
        case .deregisterCommand: self = .deregister(try DeregisterCommand(element))
        case .openSettingsCommand:
            let fields = try TLVFields(of: element, single: [.authenticatorIndex], repeatable: Self.extensions)
            self = .openSettings(index: try fields.required(.authenticatorIndex).uint8())
        default: throw .unexpectedTag(element.tag, position: 0)
        }
    }

    /// The bytes of the command, fields in the order of the specification's tables.
    package func encoded() throws(TLVError) -> [UInt8] {
        var writer = TLVWriter()
        switch self {
        case .getInfo: try writer.write(.getInfoCommand, [])
        case .register(let command): try command.write(to: &writer)
        case .sign(let command): try command.write(to: &writer)
        case .deregister(let command): try command.write(to: &writer)
        case .openSettings(let index):
            try writer.write(.openSettingsCommand) { writer throws(TLVError) in
                try writer.write(.authenticatorIndex, [index])
            }
        }
        return writer.octets
    }
}

extension TLVFields {
    /// Lengths of values in commands, in bytes.
    private enum CommandLimit {
        static let accessToken = 0...32
        static let finalChallengeHash = 1...32
        static let username = 1...128
        static let appID = 1...512
    }

    fileprivate func appID() throws(TLVError) -> AppID? {
        guard let element = self[.appID] else { return nil }
        _ = try element.value(byteCounts: CommandLimit.appID)
        guard let appID = AppID(try element.text()) else { throw .invalidValue(.appID, position: element.position) }
        return appID
    }

    fileprivate func username() throws(TLVError) -> UserName {
        let element = try required(.username)
        _ = try element.value(byteCounts: CommandLimit.username)
        guard let name = UserName(try element.text()) else {
            throw .invalidValue(.username, position: element.position)
        }
        return name
    }

    fileprivate func accessToken() throws(TLVError) -> [UInt8] {
        Array(try required(.keyHandleAccessToken).value(byteCounts: CommandLimit.accessToken))
    }

    fileprivate func finalChallengeHash() throws(TLVError) -> [UInt8] {
        Array(try required(.finalChallengeHash).value(byteCounts: CommandLimit.finalChallengeHash))
    }
}

extension TLVWriter {
    fileprivate mutating func write(optional tag: TLVTag, _ value: (some Collection<UInt8>)?) throws(TLVError) {
        if let value { try write(tag, value) }
    }
}

extension RegisterCommand {
    fileprivate init(_ element: TLVElement) throws(TLVError) {
        let fields = try TLVFields(
            of: element,
            single: [
                .authenticatorIndex, .appID, .finalChallengeHash, .username, .attestationType, .keyHandleAccessToken,
                .userVerifyToken,
            ], repeatable: [.criticalExtension, .noncriticalExtension])
        self.init(
            index: try fields.required(.authenticatorIndex).uint8(), appID: try fields.appID(),
            finalChallengeHash: try fields.finalChallengeHash(), username: try fields.username(),
            attestationType: AttestationType(rawValue: try fields.required(.attestationType).uint16()),
            accessToken: try fields.accessToken())
        userVerifyToken = fields[.userVerifyToken].map { Array($0.value) }
        extensions = try AssertionExtension.all(in: fields)
    }

    fileprivate func write(to writer: inout TLVWriter) throws(TLVError) {
        try writer.write(.registerCommand) { writer throws(TLVError) in
            try writer.write(.authenticatorIndex, [index])
            try writer.write(optional: .appID, appID?.text.utf8)
            try writer.write(.finalChallengeHash, finalChallengeHash)
            try writer.write(.username, username.text.utf8)
            try writer.write(.attestationType, uint16: attestationType.rawValue)
            try writer.write(.keyHandleAccessToken, accessToken)
            try writer.write(optional: .userVerifyToken, userVerifyToken)
            try writer.write(extensions)
        }
    }
}

extension SignCommand {
    fileprivate init(_ element: TLVElement) throws(TLVError) {
        let fields = try TLVFields(
            of: element,
            single: [
                .authenticatorIndex, .appID, .finalChallengeHash, .transactionContent, .transactionContentHash,
                .keyHandleAccessToken, .userVerifyToken,
            ], repeatable: [.keyHandle, .criticalExtension, .noncriticalExtension])
        self.init(
            index: try fields.required(.authenticatorIndex).uint8(), appID: try fields.appID(),
            finalChallengeHash: try fields.finalChallengeHash(), transaction: try Transaction(in: fields),
            accessToken: try fields.accessToken(), keyHandles: fields.all(.keyHandle).map { Array($0.value) })
        userVerifyToken = fields[.userVerifyToken].map { Array($0.value) }
        extensions = try AssertionExtension.all(in: fields)
    }

    fileprivate func write(to writer: inout TLVWriter) throws(TLVError) {
        try writer.write(.signCommand) { writer throws(TLVError) in
            try writer.write(.authenticatorIndex, [index])
            try writer.write(optional: .appID, appID?.text.utf8)
            try writer.write(.finalChallengeHash, finalChallengeHash)
            switch transaction {
            case .content(let content): try writer.write(.transactionContent, content)
            case .contentHash(let hash): try writer.write(.transactionContentHash, hash)
            case nil: break
            }
            try writer.write(.keyHandleAccessToken, accessToken)
            try writer.write(optional: .userVerifyToken, userVerifyToken)
            for handle in keyHandles { try writer.write(.keyHandle, handle) }
            try writer.write(extensions)
        }
    }
}

extension SignCommand.Transaction {
    /// Content and hash exclude each other.
    fileprivate init?(in fields: TLVFields) throws(TLVError) {
        switch (fields[.transactionContent], fields[.transactionContentHash]) {
        case (nil, nil): return nil
        case (let content?, nil): self = .content(Array(content.value))
        case (nil, let hash?): self = .contentHash(Array(try hash.value(byteCounts: 1...32)))
        case (_?, let hash?): throw .unexpectedTag(.transactionContentHash, position: hash.position)
        }
    }
}

extension DeregisterCommand {
    fileprivate init(_ element: TLVElement) throws(TLVError) {
        let fields = try TLVFields(
            of: element, single: [.authenticatorIndex, .appID, .keyID, .keyHandleAccessToken],
            repeatable: [.criticalExtension, .noncriticalExtension])
        let key = try fields.required(.keyID)
        let keyID = KeyID(key.value)
        guard keyID != nil || key.value.isEmpty else { throw .invalidValue(.keyID, position: key.position) }
        self.init(
            index: try fields.required(.authenticatorIndex).uint8(), appID: try fields.appID(), keyID: keyID,
            accessToken: try fields.accessToken())
        extensions = try AssertionExtension.all(in: fields)
    }

    fileprivate func write(to writer: inout TLVWriter) throws(TLVError) {
        try writer.write(.deregisterCommand) { writer throws(TLVError) in
            try writer.write(.authenticatorIndex, [index])
            try writer.write(optional: .appID, appID?.text.utf8)
            try writer.write(.keyID, keyID?.octets ?? [])
            try writer.write(.keyHandleAccessToken, accessToken)
            try writer.write(extensions)
        }
    }
}

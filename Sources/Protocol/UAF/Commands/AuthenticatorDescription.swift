import Octets

/// Self-description of an authenticator (`TAG_AUTHENTICATOR_INFO`).
///
/// FIDO UAF Authenticator Commands 1.1, 6.1.3.
package struct AuthenticatorDescription: Hashable, Sendable {
    /// Properties that are on or off.
    package struct Traits: OptionSet, Hashable, Sendable {
        /// The flags as the protocol writes them.
        package let rawValue: UInt16
        /// Takes flags as they are.
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Can only be used beside another factor.
        package static let secondFactorOnly = Traits(rawValue: 0x0001)
        /// Not part of the device.
        package static let roaming = Traits(rawValue: 0x0002)
        /// Keeps keys inside.
        package static let keepsKeyHandles = Traits(rawValue: 0x0004)
        /// Shows its own enrolment and verification.
        package static let hasOwnInterface = Traits(rawValue: 0x0008)
        /// Shows its own settings.
        package static let hasSettings = Traits(rawValue: 0x0010)
        /// Wants the AppID wherever it is optional.
        package static let expectsAppID = Traits(rawValue: 0x0020)
        /// A user is enrolled.
        package static let userEnrolled = Traits(rawValue: 0x0040)
        /// Supports user verification tokens.
        package static let supportsUserVerifyToken = Traits(rawValue: 0x0080)
        /// Takes only the hash of a transaction.
        package static let acceptsTransactionHashOnly = Traits(rawValue: 0x0100)
    }

    /// Number by which commands address it.
    package var index: UInt8
    /// Its model.
    package var aaid: AAID
    /// Properties that are on or off.
    package var traits: Traits
    /// Most key handles that a Sign command may carry.
    package var maxKeyHandles: UInt8
    /// Characteristics that a policy is matched against.
    package var characteristics: AuthenticatorCharacteristics
    /// Content type that its display supports.
    package var displayContentType: ContentType?
    /// Required PNG encoding of images.
    package var displayCharacteristics: [DisplayPNGCharacteristics] = []
    /// Extensions it understands.
    package var supportedExtensions: [ExtensionID] = []

    /// Describes an authenticator without a display.
    package init(
        index: UInt8, aaid: AAID, traits: Traits, maxKeyHandles: UInt8, characteristics: AuthenticatorCharacteristics
    ) {
        self.index = index
        self.aaid = aaid
        self.traits = traits
        self.maxKeyHandles = maxKeyHandles
        self.characteristics = characteristics
    }
}

extension AuthenticatorDescription {
    init(_ element: TLVElement) throws(TLVError) {
        let fields = try TLVFields(
            of: element,
            single: [.authenticatorIndex, .aaid, .authenticatorMetadata, .displayContentType, .assertionScheme],
            repeatable: [.displayPNGCharacteristics, .attestationType, .supportedExtensionID])
        let model = try fields.required(.aaid)
        guard let aaid = AAID(octets: model.value) else { throw .invalidValue(.aaid, position: model.position) }
        let facts = try fields.required(.authenticatorMetadata).fields(Facts.init)
        self.init(
            index: try fields.required(.authenticatorIndex).uint8(), aaid: aaid, traits: facts.traits,
            maxKeyHandles: facts.maxKeyHandles, characteristics: facts.characteristics)
        characteristics.assertionScheme = AssertionScheme(try fields.required(.assertionScheme).text())
        characteristics.attestationTypes = []
        for type in fields.all(.attestationType) {
            characteristics.attestationTypes.append(AttestationType(rawValue: try type.uint16()))
        }
        guard !characteristics.attestationTypes.isEmpty else { throw .missingTag(.attestationType) }
        characteristics.isSecondFactorOnly = traits.contains(.secondFactorOnly)
        characteristics.attachmentHint = traits.contains(.roaming) ? .external : .internal
        try readDisplay(fields)
        for id in fields.all(.supportedExtensionID) {
            guard let known = ExtensionID(try id.text()) else {
                throw .invalidValue(.supportedExtensionID, position: id.position)
            }
            supportedExtensions.append(known)
        }
    }

    private mutating func readDisplay(_ fields: TLVFields) throws(TLVError) {
        if let type = fields[.displayContentType] { displayContentType = ContentType(try type.text()) }
        for element in fields.all(.displayPNGCharacteristics) {
            displayCharacteristics.append(try element.fields(DisplayPNGCharacteristics.init))
        }
    }

    func write(to writer: inout TLVWriter) throws(TLVError) {
        try writer.write(.authenticatorInfo) { writer throws(TLVError) in
            try writer.write(.authenticatorIndex, [index])
            try writer.write(.aaid, aaid.text.utf8)
            try writer.write(.authenticatorMetadata, factOctets)
            if let displayContentType { try writer.write(.displayContentType, displayContentType.name.utf8) }
            for one in displayCharacteristics { try writer.write(.displayPNGCharacteristics, one.octets) }
            try writer.write(.assertionScheme, characteristics.assertionScheme.name.utf8)
            for type in characteristics.attestationTypes {
                try writer.write(.attestationType, uint16: type.rawValue)
            }
            for id in supportedExtensions { try writer.write(.supportedExtensionID, id.text.utf8) }
        }
    }

    private var factOctets: [UInt8] {
        var writer = OctetWriter(capacity: 15)
        writer.writeUInt16LittleEndian(traits.rawValue)
        writer.writeUInt8(maxKeyHandles)
        writer.writeUInt32LittleEndian(characteristics.userVerification.rawValue)
        writer.writeUInt16LittleEndian(characteristics.keyProtection.rawValue)
        writer.writeUInt16LittleEndian(characteristics.matcherProtection.rawValue)
        writer.writeUInt16LittleEndian(characteristics.transactionConfirmationDisplay.rawValue)
        writer.writeUInt16LittleEndian(characteristics.authenticationAlgorithms.first?.rawValue ?? 0)
        return writer.bytes
    }
}

extension AuthenticatorDescription {
    /// The fixed-size part (`TAG_AUTHENTICATOR_METADATA`), 15 bytes.
    private struct Facts {
        let traits: AuthenticatorDescription.Traits
        let maxKeyHandles: UInt8
        let characteristics: AuthenticatorCharacteristics

        init(_ reader: inout OctetReader) throws(OctetError) {
            traits = AuthenticatorDescription.Traits(rawValue: try reader.readUInt16LittleEndian())
            maxKeyHandles = try reader.readUInt8()
            let userVerification = UserVerification(rawValue: try reader.readUInt32LittleEndian())
            let keyProtection = KeyProtection(rawValue: try reader.readUInt16LittleEndian())
            let matcherProtection = MatcherProtection(rawValue: try reader.readUInt16LittleEndian())
            let display = TransactionConfirmationDisplay(rawValue: try reader.readUInt16LittleEndian())
            let algorithm = AuthenticationAlgorithm(rawValue: try reader.readUInt16LittleEndian())
            var characteristics = AuthenticatorCharacteristics(
                authenticationAlgorithms: [algorithm], userVerification: userVerification, keyProtection: keyProtection,
                matcherProtection: matcherProtection)
            characteristics.transactionConfirmationDisplay = display
            self.characteristics = characteristics
        }
    }
}

extension DisplayPNGCharacteristics {
    /// Size, coding and the bytes of a PLTE chunk: three for each colour.
    fileprivate init(_ reader: inout OctetReader) throws(OctetError) {
        let width = try reader.readUInt32LittleEndian()
        let height = try reader.readUInt32LittleEndian()
        let coding = Coding(
            bitDepth: try reader.readUInt8(), colorType: try reader.readUInt8(),
            compression: try reader.readUInt8(), filter: try reader.readUInt8(), interlace: try reader.readUInt8())
        var palette: [PaletteEntry] = []
        while !reader.isAtEnd {
            palette.append(
                PaletteEntry(
                    red: UInt16(try reader.readUInt8()), green: UInt16(try reader.readUInt8()),
                    blue: UInt16(try reader.readUInt8())))
        }
        self.init(width: width, height: height, coding: coding, palette: palette)
    }

    fileprivate var octets: [UInt8] {
        var writer = OctetWriter()
        writer.writeUInt32LittleEndian(width)
        writer.writeUInt32LittleEndian(height)
        writer.write([coding.bitDepth, coding.colorType, coding.compression, coding.filter, coding.interlace])
        for color in palette {
            writer.write([color.red, color.green, color.blue].map { UInt8(truncatingIfNeeded: $0) })
        }
        return writer.bytes
    }
}

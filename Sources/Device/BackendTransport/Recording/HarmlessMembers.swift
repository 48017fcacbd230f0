/// The members of JSON bodies whose values a recording shows, each in one form only; all others are marked.
enum HarmlessMembers {
    /// The form that a value has to have to be shown.
    enum Form {
        /// A word of the protocol, such as `SUCCEEDED` or `Not Found`.
        case word
        /// An integer of at most 15 digits.
        case number
        /// A model number, such as `F1D0#0001`.
        case model
        /// A URL or a path; its parts are judged one by one.
        case address
        /// A time in ISO 8601.
        case time
        /// The hexadecimal name of a request in the log of the server.
        case trace
        /// A media type or the name of an algorithm.
        case type
    }

    private static let longestWord = 40
    private static let longestNumber = 15

    private static let names: [Form: String] = [
        .word: """
        op type status error code tokenResult dispatchResult mode assertionScheme assertionSchemes dispatcher \
        knownStatus operation operations htm kty crv
        """,
        .number: """
        statusCode status uafStatusCode asmStatusCode clientErrorCode major minor lifetimeMillis waitMillis length \
        minLength minComplexity authenticationAlgorithm authenticationAlgorithms attestationTypes attachmentHint \
        keyProtection matcherProtection userVerification tcDisplay publicKeyAlgAndEncoding authenticatorVersion \
        publicKeyAlgAndEncodings width height bitDepth colorType compression filter interlace \
        creationTimeInEpochMillis nma_data_version clientVersion
        """,
        .model: "aaid", .address: "appID facetID path location redeem_url aud", .time: "timestamp",
        .trace: "traceId",
        .type: "contentType nma_data_content_type tcDisplayContentType alg enc",
    ]

    private static let forms: [String: [Form]] = {
        var forms: [String: [Form]] = [:]
        for (form, text) in names {
            for name in text.split(separator: " ") { forms[String(name), default: []].append(form) }
        }
        return forms
    }()

    static func holdsAddress(_ name: String?) -> Bool { name.flatMap { forms[$0] }?.contains(.address) == true }

    /// Whether a recording may show `text` as the value of the member.
    static func shows(_ text: String, of name: String?) -> Bool {
        guard let forms = name.flatMap({ Self.forms[$0] }) else { return false }
        return forms.contains { $0.admits(Array(text.utf8)) }
    }

    /// Whether a text can be the name of a member or field: letters, `_` and `-`, and not too many.
    static func isName(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.count <= longestWord
            && text.utf8.allSatisfy { TokenShape.isLetter($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    fileprivate static func isWord(_ octets: [UInt8]) -> Bool {
        octets.count <= longestWord
            && octets.allSatisfy { TokenShape.isLetter($0) || "_- ".utf8.contains($0) }
    }

    fileprivate static func isNumber(_ octets: [UInt8]) -> Bool {
        octets.count <= longestNumber && octets.allSatisfy { TokenShape.isDigit($0) || $0 == UInt8(ascii: "-") }
    }
}

extension HarmlessMembers.Form {
    fileprivate func admits(_ octets: [UInt8]) -> Bool {
        switch self {
        case .word: HarmlessMembers.isWord(octets)
        case .number: HarmlessMembers.isNumber(octets)
        case .model:
            octets.count == 9 && octets.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: "#") }
        case .address: false
        case .time: octets.count <= 30 && octets.allSatisfy { TokenShape.isDigit($0) || "TZ:.+-".utf8.contains($0) }
        case .trace: octets.count <= 36 && octets.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: "-") }
        case .type:
            octets.count <= 40
                && octets.allSatisfy { TokenShape.isURLSafe($0) || "/.+; =".utf8.contains($0) }
                && !TokenShape.isIn(String(decoding: octets, as: UTF8.self))
        }
    }

    private func isHexadecimal(_ octet: UInt8) -> Bool {
        TokenShape.isDigit(octet) || "abcdefABCDEF".utf8.contains(octet)
    }
}

import Foundation

extension Configuration: Decodable {
    /// The names of the properties.
    enum CodingKeys: String, CodingKey {
        case baseUrl
        case registrationRequestPath
        case registrationResponsePath
        case authenticationRequestPath
        case authenticationResponsePath
        case deregistrationRequestPath
        case dispatchTargetResourcePath
        case deviceResourcePath
        case networkTimeoutInSeconds
        case userInteractionTimeoutInSeconds
        case appAttestation
        case additionalTrustedCertificates
        case pinnedCertificates
        case allowsSuitesWithoutForwardSecrecy
        case debugFlavorHosts
        case additionalRedeemOrigins
    }

    /// Reads a configuration from a property list or JSON.
    ///
    /// Keys are the names of the properties. Only `baseUrl` is required, either as text or in the form that `URL` gives
    /// itself in a keyed archive (`relative` and, if there is one, `base`). What is left out has the default of
    /// ``init(baseUrl:registrationRequestPath:registrationResponsePath:authenticationRequestPath:authenticationResponsePath:deregistrationRequestPath:dispatchTargetResourcePath:deviceResourcePath:networkTimeoutInSeconds:userInteractionTimeoutInSeconds:appAttestation:)``.
    /// Unknown keys are ignored.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let defaults = Configuration(baseUrl: try values.decode(AddressRecord.self, forKey: .baseUrl).url)
        func text(_ key: CodingKeys, _ fallback: String) throws -> String {
            try values.decodeIfPresent(String.self, forKey: key) ?? fallback
        }
        func seconds(_ key: CodingKeys, _ fallback: TimeInterval) throws -> TimeInterval {
            try values.decodeIfPresent(TimeInterval.self, forKey: key) ?? fallback
        }
        self.init(
            baseUrl: defaults.baseUrl,
            registrationRequestPath: try text(.registrationRequestPath, defaults.registrationRequestPath),
            registrationResponsePath: try text(.registrationResponsePath, defaults.registrationResponsePath),
            authenticationRequestPath: try text(.authenticationRequestPath, defaults.authenticationRequestPath),
            authenticationResponsePath: try text(.authenticationResponsePath, defaults.authenticationResponsePath),
            deregistrationRequestPath: try text(.deregistrationRequestPath, defaults.deregistrationRequestPath),
            dispatchTargetResourcePath: try text(.dispatchTargetResourcePath, defaults.dispatchTargetResourcePath),
            deviceResourcePath: try text(.deviceResourcePath, defaults.deviceResourcePath),
            networkTimeoutInSeconds: try seconds(.networkTimeoutInSeconds, defaults.networkTimeoutInSeconds),
            userInteractionTimeoutInSeconds: try seconds(
                .userInteractionTimeoutInSeconds, defaults.userInteractionTimeoutInSeconds),
            appAttestation: try values.decodeIfPresent(AppAttestation.self, forKey: .appAttestation))
        additionalTrustedCertificates =
            try values.decodeIfPresent([Data].self, forKey: .additionalTrustedCertificates) ?? []
        pinnedCertificates = try values.decodeIfPresent([Data].self, forKey: .pinnedCertificates) ?? []
        allowsSuitesWithoutForwardSecrecy =
            try values.decodeIfPresent(Bool.self, forKey: .allowsSuitesWithoutForwardSecrecy) ?? false
        debugFlavorHosts = try values.decodeIfPresent([String].self, forKey: .debugFlavorHosts) ?? []
        additionalRedeemOrigins =
            try values.decodeIfPresent([AddressRecord].self, forKey: .additionalRedeemOrigins)?.map(\.url) ?? []
    }
}

/// An address in either of the two forms that property lists hold.
private struct AddressRecord: Decodable {
    let url: URL

    private enum CodingKeys: String, CodingKey {
        case base
        case relative
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            url = try Self.url(text, relativeTo: nil, decoder)
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let base = try values.decodeIfPresent(AddressRecord.self, forKey: .base)
        url = try Self.url(try values.decode(String.self, forKey: .relative), relativeTo: base?.url, decoder)
    }

    private static func url(_ text: String, relativeTo base: URL?, _ decoder: any Decoder) throws -> URL {
        guard let url = URL(string: text, relativeTo: base) else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "The base address is not a URL.")
            throw DecodingError.dataCorrupted(context)
        }
        return url.absoluteURL
    }
}

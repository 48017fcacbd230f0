import Octets

/// A media type with its parameters (RFC 9110, 8.3.1).
public struct MediaType: Sendable, Hashable {
    /// Type and subtype in lower case, for example `application/json`.
    public let essence: String
    /// Value of the `charset` parameter in lower case; nil when there is none.
    public let charset: String?
    /// Whether there are parameters other than `charset`.
    public let hasOtherParameters: Bool
    /// The value of a `Content-Type` field, without parameters other than `charset`.
    public let fieldValue: String

    private init(_ essence: String, charset: String? = nil) {
        self.init(essence, charset: charset, hasOtherParameters: false)
    }

    private init(_ essence: String, charset: String?, hasOtherParameters: Bool) {
        self.essence = essence
        self.charset = charset
        self.hasOtherParameters = hasOtherParameters
        fieldValue = charset.map { "\(essence);charset=\($0 == "utf-8" ? "UTF-8" : $0)" } ?? essence
    }

    /// Reads the value of a `Content-Type` field.
    ///
    /// Throws ``BackendAPIError/unsupportedMediaType`` when it is not a media type, or repeats a parameter.
    public init(parsing text: String) throws(BackendAPIError) {
        var scanner = FieldScanner(text)
        guard let type = scanner.readToken(), scanner.take("/"), let subtype = scanner.readToken(),
            let parameters = scanner.readParameters(), scanner.isAtEnd,
            Set(parameters.map(\.name)).count == parameters.count
        else { throw .unsupportedMediaType }
        self.init(
            "\(type)/\(subtype)".lowercased(), charset: parameters.first { $0.name == "charset" }?.value.lowercased(),
            hasOtherParameters: parameters.contains { $0.name != "charset" })
    }

    /// Whether a field has exactly the octets of ``fieldValue``.
    func isWritten(_ field: String?) -> Bool {
        field.map { fieldValue.hasSameOctets(as: $0) } ?? false
    }

    /// A UAF transport dictionary.
    public static let fidoUAF = MediaType("application/fido+uaf", charset: "utf-8")
    /// JSON.
    public static let json = MediaType("application/json")
    /// A compact JWS or JWE (RFC 7515, 9.2.1).
    public static let jose = MediaType("application/jose", charset: "utf-8")
    /// A list of trusted facets.
    public static let trustedFacets = MediaType("application/fido.trusted-apps+json")
    /// A set of public keys (RFC 7517, 8.5.2).
    public static let keySet = MediaType("application/jwk-set+json")
    /// The fields of a form.
    public static let form = MediaType("application/x-www-form-urlencoded", charset: "utf-8")
    /// The answer of the health services.
    public static let health = MediaType("application/vnd.spring-boot.actuator.v2+json")
    /// The text format of Prometheus.
    public static let plainText = MediaType("text/plain", charset: "utf-8")
    /// A page.
    public static let html = MediaType("text/html", charset: "utf-8")
    /// A style sheet.
    public static let css = MediaType("text/css", charset: "utf-8")
    /// A script (RFC 9239).
    public static let javaScript = MediaType("text/javascript", charset: "utf-8")
    /// A picture.
    public static let png = MediaType("image/png")
    /// A picture of lines.
    public static let svg = MediaType("image/svg+xml")
    /// Lines of JSON.
    public static let jsonLines = MediaType("application/x-ndjson")
    /// A table (RFC 4180).
    public static let csv = MediaType("text/csv", charset: "utf-8")
    /// A YAML document (RFC 9512).
    public static let yaml = MediaType("application/yaml")
}

import Hummingbird
import OpenID

/// Fields of forms and queries of web sites, read strictly: each at most once, at most 40 of them.
enum FormFields {
    static let byteLimit = 65_536

    /// Fields of a form; nil for one that is malformed or too long, has a field twice or too many.
    static func fields(ofForm body: [UInt8]) -> OpenIDFields? {
        guard body.count <= byteLimit else { return nil }
        return FormPairs.read(body).flatMap { OpenIDFields($0) }
    }

    /// Fields of a query, without those named; nil for one that ``fields(ofForm:)`` would refuse.
    static func fields(ofQuery query: String?, without names: Set<String> = []) -> OpenIDFields? {
        let octets = Array((query ?? "").utf8)
        guard octets.count <= byteLimit, let pairs = FormPairs.read(octets) else { return nil }
        return OpenIDFields(pairs.filter { !names.contains($0.name) })
    }
}

extension Exchange {
    var form: OpenIDFields? { FormFields.fields(ofForm: body) }

    func query(without names: Set<String> = []) -> OpenIDFields? {
        FormFields.fields(ofQuery: request.uri.query, without: names)
    }
}

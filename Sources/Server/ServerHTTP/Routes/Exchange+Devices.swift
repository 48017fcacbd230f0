import BackendAPI
import HTTPTypes
import Hummingbird

extension Exchange {
    /// What the last component of the path names, decoded; a component that cannot be decoded is malformed.
    func named() throws(RequestRefusal) -> String {
        guard let parameter = endpoint.parameter, let component = context.parameters.get(parameter),
            let name = PathComponent.decode(component)
        else { throw .malformed }
        return name
    }

    /// The compact JWS that is the body.
    func signedBody() throws(RequestRefusal) -> String {
        guard let text = String(validating: body, as: UTF8.self), !text.isEmpty else { throw .malformed }
        return text
    }

    /// The compact JWS of a request without a body.
    func deviceSignature() throws(RequestRefusal) -> String {
        guard let name = HTTPField.Name(Endpoint.deviceSignatureField), let token = request.headers[name] else {
            throw .unsigned
        }
        return token
    }

    /// An answer without a body.
    var empty: Response { Response(status: .noContent) }
}

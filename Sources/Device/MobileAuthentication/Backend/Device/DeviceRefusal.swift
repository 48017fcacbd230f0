import BackendAPI
import BackendTransport

/// Failure of a request that the device signed.
enum DeviceRefusal: Error {
    /// The server does not accept the signature: the record whose key signed is gone.
    case notAccepted(HTTPStatusError)
    /// The server, or a proxy in front of it, does not allow the request.
    case forbidden(HTTPStatusError)
    /// The clocks are too far apart.
    case clockSkew(ClockSkewError)
    /// The server has no such service.
    case unsupported(HTTPStatusError?)
    /// The server does not know what the request is about.
    case unknown(HTTPStatusError)
    /// Another device of the user has the name.
    case nameInUse(HTTPStatusError)
    /// Everything else.
    case failed(CeremonyFailure)

    /// Throws unless the server has done what was asked for.
    static func check(_ response: BackendResponse, now: Int64) throws(DeviceRefusal) {
        let error = HTTPStatusError(statusCode: response.status, body: response.body)
        let code = (try? ErrorBody(body: response.body))?.code
        switch response.status {
        case 200...204: return
        case 401:
            if let skew = ClockSkewError(response, now: now) { throw .clockSkew(skew) }
            // A refusal for another reason than the signature says nothing about the record.
            throw code == nil || code == .signatureInvalid ? .notAccepted(error) : .failed(.network(error))
        case 403: throw .forbidden(error)
        case 404: throw code == nil || code == .notFound ? .unsupported(error) : .unknown(error)
        case 405, 501: throw .unsupported(error)
        case 422 where code == .dispatchTargetNameInUse: throw .nameInUse(error)
        default: throw .failed(.network(error))
        }
    }

    /// Failure of an operation that has no specific error for the refusal.
    var failure: CeremonyFailure {
        switch self {
        case .clockSkew(let error): .clockSkew(error)
        case .unsupported(let error): .unsupportedByServer(cause: error)
        case .unknown(let error), .nameInUse(let error), .notAccepted(let error), .forbidden(let error): .network(error)
        case .failed(let failure): failure
        }
    }
}

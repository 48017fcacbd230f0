import BackendAPI
import BackendTransport
import UAFClient

extension DeviceRefusal {
    static func check(_ response: BackendResponse, now: Int64) throws(DeviceRefusal) {
        let error = HTTPStatusError(response)
        let code = (try? ErrorBody(body: response.body))?.code
        switch response.status {
        case 200...204: return
        case 401:
            if let skew = ClockSkewError(response, now: now) { throw .clockSkew(skew) }
            // A refusal for another reason, or without one as of a proxy, says nothing about the record.
            throw code == .signatureInvalid ? .notAccepted(error) : .failed(.network(error))
        case 403: throw .forbidden(error)
        case 404: throw code == nil || code == .notFound ? .unsupported(error) : .unknown(error)
        case 405, 501: throw .unsupported(error)
        case 422 where code == .dispatchTargetNameInUse: throw .nameInUse(error)
        default: throw .failed(.network(error))
        }
    }
}

package import HTTPTypes

extension Endpoint.Method {
    /// The method as transports and routers spell it.
    package var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .patch: .patch
        case .delete: .delete
        }
    }
}

@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif

extension Result where Success == Void {
    /// The success that carries nothing, so that `handler(.success)` can be written.
    public static var success: Self { .success(()) }
}

/// Lets the user link this device to the screen where an operation was begun; implemented by the application.
///
/// A server that wants it says so in the payload. It is what stops somebody who begins operations in the name of a user
/// and hopes that he confirms the one that is not his.
@preconcurrency @MainActor
public protocol ChannelLinker {
    /// Asks for the digits of the other screen, or whether both show the same.
    ///
    /// Answer by calling one method of the handler once; a handler that is released without an answer counts as
    /// canceled. It is called again with an error when the answer was not of the form asked for.
    func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler)
}

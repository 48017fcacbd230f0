/// Text of the pages; each language has one for every case (``PageTexts``), and the templates name it as `t.` and the case.
enum PageText: String, Sendable, Hashable, CaseIterable {
    case skip, languages, addressLabel, addressAdvice, signIn, signInLead, confirmText, confirmLead, textLabel
    case textAdvice, scan, codeAlternative, openHere, digitsLabel, digitsEnter, digitsCompare, pushed, pushInstead
    case userName, sendPush, codeInstead, newCode, `continue`, cancel, whereLabel, siteLabel, browserLabel
    case networkLabel, unknown, notMe, stateWaiting, stateShown, stateConfirmed, stateDenied, stateReported
    case stateExpired, stateOffline, stateLater, myDevices, signedInAs, noDevices, addedOn, receivesPush
    case confirmedHere, rename, newName, save, lost, remove, removeOther, removeLast, renamed, removed, nameRefused
    case deviceUnknown, confirmRemoval, history, historyCaption, historyAdvice, noHistory, when, happened, details
    case historySignIn, historyPayment, historyDenied, historyReported, historyDeviceAdded, historyDeviceRemoved
    case historyPasskeyAdded, historyPasskeyRemoved, passkeyNoticeTitle, weakerNoticeTitle, weakerNoticeBody
    case historyLocked, announcementTitle, announcementBody, logOutTitle, logOutAsk, logOut, loggedOutTitle, loggedOut
    case refusedTitle, refusedUnknownClient, refusedRedirect, refusedMalformed, refusedOtherBrowser, refusedExpired
    case refusedForm, refusedTooMany, refusedUnavailable, backToSite, frontTitle, frontLead, frontInterface
    case data, dataLead, dataAdvice, dataShow, dataFile, dataNone, dataAccount, dataDevices, dataCredentials
    case codes, codesAdvice, codesLeft, codesMake, codesOnce, codesUse, recoverTitle, recoverLead, recoverCode
    case recoverBegin, recoverAdvice, recoverWrong, recoverThrottled, recoverWaits, recoverWaitsAdvice, recoverOpen
    case recoverScan, recoverInvite, recoverPhones, recoverOver, recoverUnderWay, recoverNotMe, recoverStopped
    case recoverNoneUnderWay, recoveryNoticeTitle, recoveryNoticeBody, historyRecoveryBegun, historyRecoveryEnded
    case dataOperations, dataSessions, dataGrants, dataReceipts, dataAudit
    case passkeySignIn, passkeyUserName, passkeyUnused, passkeyRefused, passkeyWeaker, passkeyTooWeak, passkeys
    case passkeysAdvice, passkeyOnOne, passkeyOnSeveral, lastUsed, neverUsed, passkeyName, passkeyAdd, passkeyAdded
    case passkeyRenamed, passkeyRemoved, passkeyRemoval, passkeyUnknown, passkeyUnusable, passkeyTooMany, passkeyKnown
    case removeLastPhone
}

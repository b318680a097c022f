// Written by tools/generate_shapes from the models below; change those or the tool, not this file.
// Batch: Batch 2016-08-10, model 28e0916b35e57e9945f81a6c9829d952142ffaef7b7ce21dae496579a67d2307
// Logs: CloudWatch Logs 2014-03-28, model d82def4f55bbc3626ff776a4c85ffc8643cdb6394bd749193f9f0ac72a0ccab4
// States: SFN 2016-11-23, model 0bb4ac42c61eaf6e5aebb392d8ad8a40b08a437bc5b421372673bf0dc2943c11
// Stoker: Stoker 2026-11-01, model 590178ad6a22330e2d6387851d40d645eb7be4ed3d2f3b2c6951c25346a0c6c0
// clang-format off
#include "aws/shapes_table.h"

#include "aws/shape_makers.h"

namespace stoker::aws {
namespace {

enum Id : std::uint16_t {
  BatchArrayJobDependency,
  BatchArrayJobStatusSummary,
  BatchArrayProperties,
  BatchArrayPropertiesDetail,
  BatchArrayPropertiesSummary,
  BatchAssignPublicIp,
  BatchAttemptContainerDetail,
  BatchAttemptDetail,
  BatchAttemptDetails,
  BatchAttemptEcsTaskDetails,
  BatchAttemptTaskContainerDetails,
  BatchBoolean,
  BatchCEState,
  BatchCEStatus,
  BatchCEType,
  BatchCRAllocationStrategy,
  BatchCRType,
  BatchCRUpdateAllocationStrategy,
  BatchCancelJobRequest,
  BatchCancelJobResponse,
  BatchCapacityLimit,
  BatchCapacityLimits,
  BatchClientRequestToken,
  BatchComputeEnvironmentDetail,
  BatchComputeEnvironmentDetailList,
  BatchComputeEnvironmentOrder,
  BatchComputeEnvironmentOrders,
  BatchComputeResource,
  BatchComputeResourceUpdate,
  BatchComputeScalingPolicy,
  BatchConsumableResourceList,
  BatchConsumableResourceProperties,
  BatchConsumableResourceRequirement,
  BatchConsumableResourceSummary,
  BatchConsumableResourceSummaryList,
  BatchContainerDetail,
  BatchContainerOverrides,
  BatchContainerProperties,
  BatchContainerSummary,
  BatchCreateComputeEnvironmentRequest,
  BatchCreateComputeEnvironmentResponse,
  BatchCreateConsumableResourceRequest,
  BatchCreateConsumableResourceResponse,
  BatchCreateJobQueueRequest,
  BatchCreateJobQueueResponse,
  BatchCreateQuotaShareRequest,
  BatchCreateQuotaShareResponse,
  BatchCreateSchedulingPolicyRequest,
  BatchCreateSchedulingPolicyResponse,
  BatchCreateServiceEnvironmentRequest,
  BatchCreateServiceEnvironmentResponse,
  BatchDeleteComputeEnvironmentRequest,
  BatchDeleteComputeEnvironmentResponse,
  BatchDeleteConsumableResourceRequest,
  BatchDeleteConsumableResourceResponse,
  BatchDeleteJobQueueRequest,
  BatchDeleteJobQueueResponse,
  BatchDeleteQuotaShareRequest,
  BatchDeleteQuotaShareResponse,
  BatchDeleteSchedulingPolicyRequest,
  BatchDeleteSchedulingPolicyResponse,
  BatchDeleteServiceEnvironmentRequest,
  BatchDeleteServiceEnvironmentResponse,
  BatchDeregisterJobDefinitionRequest,
  BatchDeregisterJobDefinitionResponse,
  BatchDescribeComputeEnvironmentsRequest,
  BatchDescribeComputeEnvironmentsResponse,
  BatchDescribeConsumableResourceRequest,
  BatchDescribeConsumableResourceResponse,
  BatchDescribeJobDefinitionsRequest,
  BatchDescribeJobDefinitionsResponse,
  BatchDescribeJobQueuesRequest,
  BatchDescribeJobQueuesResponse,
  BatchDescribeJobsRequest,
  BatchDescribeJobsResponse,
  BatchDescribeQuotaShareRequest,
  BatchDescribeQuotaShareResponse,
  BatchDescribeSchedulingPoliciesRequest,
  BatchDescribeSchedulingPoliciesResponse,
  BatchDescribeServiceEnvironmentsRequest,
  BatchDescribeServiceEnvironmentsResponse,
  BatchDescribeServiceJobRequest,
  BatchDescribeServiceJobResponse,
  BatchDevice,
  BatchDeviceCgroupPermission,
  BatchDeviceCgroupPermissions,
  BatchDevicesList,
  BatchDouble,
  BatchEFSAuthorizationConfig,
  BatchEFSAuthorizationConfigIAM,
  BatchEFSTransitEncryption,
  BatchEFSVolumeConfiguration,
  BatchEc2Configuration,
  BatchEc2ConfigurationList,
  BatchEcsProperties,
  BatchEcsPropertiesDetail,
  BatchEcsPropertiesOverride,
  BatchEcsTaskDetails,
  BatchEcsTaskProperties,
  BatchEksAnnotationsMap,
  BatchEksAttemptContainerDetail,
  BatchEksAttemptContainerDetails,
  BatchEksAttemptDetail,
  BatchEksAttemptDetails,
  BatchEksConfiguration,
  BatchEksContainer,
  BatchEksContainerDetail,
  BatchEksContainerDetails,
  BatchEksContainerEnvironmentVariable,
  BatchEksContainerEnvironmentVariables,
  BatchEksContainerOverride,
  BatchEksContainerOverrideList,
  BatchEksContainerResourceRequirements,
  BatchEksContainerSecurityContext,
  BatchEksContainerVolumeMount,
  BatchEksContainerVolumeMounts,
  BatchEksContainers,
  BatchEksEmptyDir,
  BatchEksHostPath,
  BatchEksLabelsMap,
  BatchEksLimits,
  BatchEksMetadata,
  BatchEksPersistentVolumeClaim,
  BatchEksPodProperties,
  BatchEksPodPropertiesDetail,
  BatchEksPodPropertiesOverride,
  BatchEksProperties,
  BatchEksPropertiesDetail,
  BatchEksPropertiesOverride,
  BatchEksRequests,
  BatchEksSecret,
  BatchEksVolume,
  BatchEksVolumes,
  BatchEnvironmentVariables,
  BatchEphemeralStorage,
  BatchEvaluateOnExit,
  BatchEvaluateOnExitList,
  BatchFairshareCapacityUsage,
  BatchFairshareCapacityUsageList,
  BatchFairshareCapacityUtilization,
  BatchFairshareCapacityUtilizationList,
  BatchFairsharePolicy,
  BatchFairshareUtilizationDetail,
  BatchFargatePlatformConfiguration,
  BatchFirelensConfiguration,
  BatchFirelensConfigurationOptionsMap,
  BatchFirelensConfigurationType,
  BatchFloat,
  BatchFrontOfQueueDetail,
  BatchFrontOfQueueJobSummary,
  BatchFrontOfQueueJobSummaryList,
  BatchFrontOfQuotaShareJobSummary,
  BatchFrontOfQuotaShareJobSummaryList,
  BatchFrontOfQuotaSharesDetail,
  BatchFrontOfQuotaSharesJobSummaryMap,
  BatchGetJobQueueSnapshotRequest,
  BatchGetJobQueueSnapshotResponse,
  BatchHost,
  BatchImageIdOverride,
  BatchImagePullSecret,
  BatchImagePullSecrets,
  BatchImageType,
  BatchInteger,
  BatchJQState,
  BatchJQStatus,
  BatchJobCapacityUsageSummary,
  BatchJobCapacityUsageSummaryList,
  BatchJobDefinition,
  BatchJobDefinitionList,
  BatchJobDefinitionType,
  BatchJobDependency,
  BatchJobDependencyList,
  BatchJobDetail,
  BatchJobDetailList,
  BatchJobExecutionTimeoutMinutes,
  BatchJobQueueDetail,
  BatchJobQueueDetailList,
  BatchJobQueueType,
  BatchJobStateTimeLimitAction,
  BatchJobStateTimeLimitActions,
  BatchJobStateTimeLimitActionsAction,
  BatchJobStateTimeLimitActionsState,
  BatchJobStatus,
  BatchJobSummary,
  BatchJobSummaryList,
  BatchJobTimeout,
  BatchKeyValuePair,
  BatchKeyValuesPair,
  BatchKubernetesVersion,
  BatchLatestServiceJobAttempt,
  BatchLaunchTemplateSpecification,
  BatchLaunchTemplateSpecificationOverride,
  BatchLaunchTemplateSpecificationOverrideList,
  BatchLinuxParameters,
  BatchListAttemptEcsTaskDetails,
  BatchListAttemptTaskContainerDetails,
  BatchListConsumableResourcesFilterList,
  BatchListConsumableResourcesRequest,
  BatchListConsumableResourcesResponse,
  BatchListEcsTaskDetails,
  BatchListEcsTaskProperties,
  BatchListJobsByConsumableResourceFilterList,
  BatchListJobsByConsumableResourceRequest,
  BatchListJobsByConsumableResourceResponse,
  BatchListJobsByConsumableResourceSummary,
  BatchListJobsByConsumableResourceSummaryList,
  BatchListJobsFilterList,
  BatchListJobsRequest,
  BatchListJobsResponse,
  BatchListQuotaSharesRequest,
  BatchListQuotaSharesResponse,
  BatchListSchedulingPoliciesRequest,
  BatchListSchedulingPoliciesResponse,
  BatchListServiceJobsRequest,
  BatchListServiceJobsResponse,
  BatchListTagsForResourceRequest,
  BatchListTagsForResourceResponse,
  BatchListTaskContainerDetails,
  BatchListTaskContainerOverrides,
  BatchListTaskContainerProperties,
  BatchListTaskPropertiesOverride,
  BatchLogConfiguration,
  BatchLogConfigurationOptionsMap,
  BatchLogDriver,
  BatchLong,
  BatchMountPoint,
  BatchMountPoints,
  BatchNetworkConfiguration,
  BatchNetworkInterface,
  BatchNetworkInterfaceList,
  BatchNodeDetails,
  BatchNodeOverrides,
  BatchNodeProperties,
  BatchNodePropertiesSummary,
  BatchNodePropertyOverride,
  BatchNodePropertyOverrides,
  BatchNodeRangeProperties,
  BatchNodeRangeProperty,
  BatchOrchestrationType,
  BatchParametersMap,
  BatchPlatformCapability,
  BatchPlatformCapabilityList,
  BatchQuantity,
  BatchQueueSnapshotCapacityUsage,
  BatchQueueSnapshotCapacityUsageList,
  BatchQueueSnapshotUtilizationDetail,
  BatchQuotaShareCapacityLimit,
  BatchQuotaShareCapacityLimits,
  BatchQuotaShareCapacityUsage,
  BatchQuotaShareCapacityUsageList,
  BatchQuotaShareCapacityUtilization,
  BatchQuotaShareCapacityUtilizationList,
  BatchQuotaShareDetail,
  BatchQuotaShareIdleResourceAssignmentStrategy,
  BatchQuotaShareInSharePreemptionState,
  BatchQuotaShareList,
  BatchQuotaSharePolicy,
  BatchQuotaSharePreemptionConfiguration,
  BatchQuotaShareResourceSharingConfiguration,
  BatchQuotaShareResourceSharingStrategy,
  BatchQuotaShareState,
  BatchQuotaShareStatus,
  BatchQuotaShareUtilizationDetail,
  BatchRegisterJobDefinitionRequest,
  BatchRegisterJobDefinitionResponse,
  BatchRepositoryCredentials,
  BatchResourceRequirement,
  BatchResourceRequirements,
  BatchResourceType,
  BatchRetryAction,
  BatchRetryStrategy,
  BatchRuntimePlatform,
  BatchS3FilesVolumeConfiguration,
  BatchSchedulingPolicyDetail,
  BatchSchedulingPolicyDetailList,
  BatchSchedulingPolicyListingDetail,
  BatchSchedulingPolicyListingDetailList,
  BatchSecret,
  BatchSecretList,
  BatchServiceEnvironmentDetail,
  BatchServiceEnvironmentDetailList,
  BatchServiceEnvironmentOrder,
  BatchServiceEnvironmentOrders,
  BatchServiceEnvironmentState,
  BatchServiceEnvironmentStatus,
  BatchServiceEnvironmentType,
  BatchServiceJobAttemptDetail,
  BatchServiceJobAttemptDetails,
  BatchServiceJobCapacityUsageDetail,
  BatchServiceJobCapacityUsageDetailList,
  BatchServiceJobCapacityUsageSummary,
  BatchServiceJobCapacityUsageSummaryList,
  BatchServiceJobEvaluateOnExit,
  BatchServiceJobEvaluateOnExitList,
  BatchServiceJobPreemptedAttempt,
  BatchServiceJobPreemptionConfiguration,
  BatchServiceJobPreemptionSummary,
  BatchServiceJobRecentPreemptedAttemptList,
  BatchServiceJobRetryAction,
  BatchServiceJobRetryStrategy,
  BatchServiceJobStatus,
  BatchServiceJobSummary,
  BatchServiceJobSummaryList,
  BatchServiceJobTimeout,
  BatchServiceJobType,
  BatchServiceResourceId,
  BatchServiceResourceIdName,
  BatchShareAttributes,
  BatchShareAttributesList,
  BatchString,
  BatchStringList,
  BatchSubmitJobRequest,
  BatchSubmitJobResponse,
  BatchSubmitServiceJobRequest,
  BatchSubmitServiceJobResponse,
  BatchTagKey,
  BatchTagKeysList,
  BatchTagResourceRequest,
  BatchTagResourceResponse,
  BatchTagValue,
  BatchTagrisTagsMap,
  BatchTagsMap,
  BatchTaskContainerDependency,
  BatchTaskContainerDependencyList,
  BatchTaskContainerDetails,
  BatchTaskContainerOverrides,
  BatchTaskContainerProperties,
  BatchTaskPropertiesOverride,
  BatchTerminateJobRequest,
  BatchTerminateJobResponse,
  BatchTerminateServiceJobRequest,
  BatchTerminateServiceJobResponse,
  BatchTmpfs,
  BatchTmpfsList,
  BatchUlimit,
  BatchUlimits,
  BatchUntagResourceRequest,
  BatchUntagResourceResponse,
  BatchUpdateComputeEnvironmentRequest,
  BatchUpdateComputeEnvironmentResponse,
  BatchUpdateConsumableResourceRequest,
  BatchUpdateConsumableResourceResponse,
  BatchUpdateJobQueueRequest,
  BatchUpdateJobQueueResponse,
  BatchUpdatePolicy,
  BatchUpdateQuotaShareRequest,
  BatchUpdateQuotaShareResponse,
  BatchUpdateSchedulingPolicyRequest,
  BatchUpdateSchedulingPolicyResponse,
  BatchUpdateServiceEnvironmentRequest,
  BatchUpdateServiceEnvironmentResponse,
  BatchUpdateServiceJobRequest,
  BatchUpdateServiceJobResponse,
  BatchUserdataType,
  BatchVolume,
  BatchVolumes,
  LogsAccountId,
  LogsAccountIds,
  LogsAmazonResourceName,
  LogsArn,
  LogsBearerTokenAuthenticationEnabled,
  LogsDataProtectionStatus,
  LogsDataSourceFilter,
  LogsDataSourceFilters,
  LogsDataSourceName,
  LogsDataSourceType,
  LogsDays,
  LogsDeletionProtectionEnabled,
  LogsDescending,
  LogsDescribeLimit,
  LogsDescribeLogGroupsLogGroupIdentifiers,
  LogsDescribeLogGroupsRequest,
  LogsDescribeLogGroupsResponse,
  LogsDescribeLogStreamsRequest,
  LogsDescribeLogStreamsResponse,
  LogsEventId,
  LogsEventMessage,
  LogsEventsLimit,
  LogsFieldIndexName,
  LogsFieldIndexNames,
  LogsFilterCount,
  LogsFilterLogEventsRequest,
  LogsFilterLogEventsResponse,
  LogsFilterPattern,
  LogsFilteredLogEvent,
  LogsFilteredLogEvents,
  LogsGetLogEventsRequest,
  LogsGetLogEventsResponse,
  LogsIncludeLinkedAccounts,
  LogsInheritedProperties,
  LogsInheritedProperty,
  LogsInputLogStreamNames,
  LogsInterleaved,
  LogsIsSampled,
  LogsKmsKeyId,
  LogsListLimit,
  LogsListLogGroupsRequest,
  LogsListLogGroupsResponse,
  LogsListTagsForResourceRequest,
  LogsListTagsForResourceResponse,
  LogsListTagsLogGroupRequest,
  LogsListTagsLogGroupResponse,
  LogsLiveTailSessionLogEvent,
  LogsLiveTailSessionMetadata,
  LogsLiveTailSessionResults,
  LogsLiveTailSessionStart,
  LogsLiveTailSessionUpdate,
  LogsLogGroup,
  LogsLogGroupClass,
  LogsLogGroupIdentifier,
  LogsLogGroupName,
  LogsLogGroupNamePattern,
  LogsLogGroupNameRegexPattern,
  LogsLogGroupSummaries,
  LogsLogGroupSummary,
  LogsLogGroups,
  LogsLogStream,
  LogsLogStreamName,
  LogsLogStreamSearchedCompletely,
  LogsLogStreams,
  LogsMessage,
  LogsNextToken,
  LogsOrderBy,
  LogsOutputLogEvent,
  LogsOutputLogEvents,
  LogsRequestId,
  LogsSearchedLogStream,
  LogsSearchedLogStreams,
  LogsSequenceToken,
  LogsSessionId,
  LogsSessionStreamingException,
  LogsSessionTimeoutException,
  LogsStartFromHead,
  LogsStartLiveTailLogGroupIdentifiers,
  LogsStartLiveTailRequest,
  LogsStartLiveTailResponse,
  LogsStartLiveTailResponseStream,
  LogsStoredBytes,
  LogsTagFilter,
  LogsTagFilterKey,
  LogsTagFilterValue,
  LogsTagFilterValues,
  LogsTagFilters,
  LogsTagKey,
  LogsTagValue,
  LogsTags,
  LogsTimestamp,
  LogsUnmask,
  StatesActivityFailedEventDetails,
  StatesActivityList,
  StatesActivityListItem,
  StatesActivityScheduleFailedEventDetails,
  StatesActivityScheduledEventDetails,
  StatesActivityStartedEventDetails,
  StatesActivitySucceededEventDetails,
  StatesActivityTimedOutEventDetails,
  StatesAliasDescription,
  StatesArn,
  StatesAssignedVariables,
  StatesAssignedVariablesDetails,
  StatesBilledDuration,
  StatesBilledMemoryUsed,
  StatesBillingDetails,
  StatesCharacterRestrictedName,
  StatesClientToken,
  StatesCloudWatchEventsExecutionDataDetails,
  StatesCloudWatchLogsLogGroup,
  StatesConnectorParameters,
  StatesCreateActivityInput,
  StatesCreateActivityOutput,
  StatesCreateStateMachineAliasInput,
  StatesCreateStateMachineAliasOutput,
  StatesCreateStateMachineInput,
  StatesCreateStateMachineOutput,
  StatesDefinition,
  StatesDeleteActivityInput,
  StatesDeleteActivityOutput,
  StatesDeleteStateMachineAliasInput,
  StatesDeleteStateMachineAliasOutput,
  StatesDeleteStateMachineInput,
  StatesDeleteStateMachineOutput,
  StatesDeleteStateMachineVersionInput,
  StatesDeleteStateMachineVersionOutput,
  StatesDescribeActivityInput,
  StatesDescribeActivityOutput,
  StatesDescribeExecutionInput,
  StatesDescribeExecutionOutput,
  StatesDescribeMapRunInput,
  StatesDescribeMapRunOutput,
  StatesDescribeStateMachineAliasInput,
  StatesDescribeStateMachineAliasOutput,
  StatesDescribeStateMachineForExecutionInput,
  StatesDescribeStateMachineForExecutionOutput,
  StatesDescribeStateMachineInput,
  StatesDescribeStateMachineOutput,
  StatesEnabled,
  StatesEncryptionConfiguration,
  StatesEncryptionType,
  StatesEvaluationFailedEventDetails,
  StatesEvaluationFailureLocation,
  StatesEventId,
  StatesExceptionHandlerIndex,
  StatesExecutionAbortedEventDetails,
  StatesExecutionFailedEventDetails,
  StatesExecutionList,
  StatesExecutionListItem,
  StatesExecutionRedriveFilter,
  StatesExecutionRedriveStatus,
  StatesExecutionRedrivenEventDetails,
  StatesExecutionStartedEventDetails,
  StatesExecutionStatus,
  StatesExecutionSucceededEventDetails,
  StatesExecutionTimedOutEventDetails,
  StatesGetActivityTaskInput,
  StatesGetActivityTaskOutput,
  StatesGetExecutionHistoryInput,
  StatesGetExecutionHistoryOutput,
  StatesHTTPBody,
  StatesHTTPHeaders,
  StatesHTTPMethod,
  StatesHTTPProtocol,
  StatesHTTPStatusCode,
  StatesHTTPStatusMessage,
  StatesHistoryEvent,
  StatesHistoryEventExecutionDataDetails,
  StatesHistoryEventList,
  StatesHistoryEventType,
  StatesIdentity,
  StatesIncludeExecutionData,
  StatesIncludeExecutionDataGetExecutionHistory,
  StatesIncludedData,
  StatesInspectionData,
  StatesInspectionDataRequest,
  StatesInspectionDataResponse,
  StatesInspectionErrorDetails,
  StatesInspectionLevel,
  StatesInspectionMaxConcurrency,
  StatesInspectionToleratedFailureCount,
  StatesInspectionToleratedFailurePercentage,
  StatesKmsDataKeyReusePeriodSeconds,
  StatesKmsKeyId,
  StatesLambdaFunctionFailedEventDetails,
  StatesLambdaFunctionScheduleFailedEventDetails,
  StatesLambdaFunctionScheduledEventDetails,
  StatesLambdaFunctionStartFailedEventDetails,
  StatesLambdaFunctionSucceededEventDetails,
  StatesLambdaFunctionTimedOutEventDetails,
  StatesListActivitiesInput,
  StatesListActivitiesOutput,
  StatesListExecutionsInput,
  StatesListExecutionsOutput,
  StatesListExecutionsPageToken,
  StatesListMapRunsInput,
  StatesListMapRunsOutput,
  StatesListStateMachineAliasesInput,
  StatesListStateMachineAliasesOutput,
  StatesListStateMachineVersionsInput,
  StatesListStateMachineVersionsOutput,
  StatesListStateMachinesInput,
  StatesListStateMachinesOutput,
  StatesListTagsForResourceInput,
  StatesListTagsForResourceOutput,
  StatesLogDestination,
  StatesLogDestinationList,
  StatesLogLevel,
  StatesLoggingConfiguration,
  StatesLongArn,
  StatesLongObject,
  StatesMapIterationEventDetails,
  StatesMapIterationFailureCount,
  StatesMapRunExecutionCounts,
  StatesMapRunFailedEventDetails,
  StatesMapRunItemCounts,
  StatesMapRunLabel,
  StatesMapRunList,
  StatesMapRunListItem,
  StatesMapRunRedrivenEventDetails,
  StatesMapRunStartedEventDetails,
  StatesMapRunStatus,
  StatesMapStateStartedEventDetails,
  StatesMaxConcurrency,
  StatesMockErrorOutput,
  StatesMockInput,
  StatesMockResponseValidationMode,
  StatesName,
  StatesPageSize,
  StatesPageToken,
  StatesPublish,
  StatesPublishStateMachineVersionInput,
  StatesPublishStateMachineVersionOutput,
  StatesRedriveCount,
  StatesRedriveExecutionInput,
  StatesRedriveExecutionOutput,
  StatesRetrierRetryCount,
  StatesRetryBackoffIntervalSeconds,
  StatesRevealSecrets,
  StatesReverseOrder,
  StatesRevisionId,
  StatesRoutingConfigurationList,
  StatesRoutingConfigurationListItem,
  StatesSendTaskFailureInput,
  StatesSendTaskFailureOutput,
  StatesSendTaskHeartbeatInput,
  StatesSendTaskHeartbeatOutput,
  StatesSendTaskSuccessInput,
  StatesSendTaskSuccessOutput,
  StatesSensitiveCause,
  StatesSensitiveData,
  StatesSensitiveDataJobInput,
  StatesSensitiveError,
  StatesStartExecutionInput,
  StatesStartExecutionOutput,
  StatesStartSyncExecutionInput,
  StatesStartSyncExecutionOutput,
  StatesStateEnteredEventDetails,
  StatesStateExitedEventDetails,
  StatesStateMachineAliasList,
  StatesStateMachineAliasListItem,
  StatesStateMachineList,
  StatesStateMachineListItem,
  StatesStateMachineStatus,
  StatesStateMachineType,
  StatesStateMachineVersionList,
  StatesStateMachineVersionListItem,
  StatesStateName,
  StatesStopExecutionInput,
  StatesStopExecutionOutput,
  StatesSyncExecutionStatus,
  StatesTag,
  StatesTagKey,
  StatesTagKeyList,
  StatesTagList,
  StatesTagResourceInput,
  StatesTagResourceOutput,
  StatesTagValue,
  StatesTaskCredentials,
  StatesTaskFailedEventDetails,
  StatesTaskScheduledEventDetails,
  StatesTaskStartFailedEventDetails,
  StatesTaskStartedEventDetails,
  StatesTaskSubmitFailedEventDetails,
  StatesTaskSubmittedEventDetails,
  StatesTaskSucceededEventDetails,
  StatesTaskTimedOutEventDetails,
  StatesTaskToken,
  StatesTestExecutionStatus,
  StatesTestStateConfiguration,
  StatesTestStateInput,
  StatesTestStateOutput,
  StatesTestStateStateName,
  StatesTimeoutInSeconds,
  StatesTimestamp,
  StatesToleratedFailureCount,
  StatesToleratedFailurePercentage,
  StatesTraceHeader,
  StatesTracingConfiguration,
  StatesURL,
  StatesUnsignedInteger,
  StatesUnsignedLong,
  StatesUntagResourceInput,
  StatesUntagResourceOutput,
  StatesUpdateMapRunInput,
  StatesUpdateMapRunOutput,
  StatesUpdateStateMachineAliasInput,
  StatesUpdateStateMachineAliasOutput,
  StatesUpdateStateMachineInput,
  StatesUpdateStateMachineOutput,
  StatesValidateStateMachineDefinitionCode,
  StatesValidateStateMachineDefinitionDiagnostic,
  StatesValidateStateMachineDefinitionDiagnosticList,
  StatesValidateStateMachineDefinitionInput,
  StatesValidateStateMachineDefinitionLocation,
  StatesValidateStateMachineDefinitionMaxResult,
  StatesValidateStateMachineDefinitionMessage,
  StatesValidateStateMachineDefinitionOutput,
  StatesValidateStateMachineDefinitionResultCode,
  StatesValidateStateMachineDefinitionSeverity,
  StatesValidateStateMachineDefinitionTruncated,
  StatesVariableName,
  StatesVariableNameList,
  StatesVariableReferences,
  StatesVariableValue,
  StatesVersionDescription,
  StatesVersionWeight,
  StatesIncludedDetails,
  StatesTruncated,
  StokerExplainRequest,
  StokerExplainResponse,
  StokerListCostsRequest,
  StokerCostKeys,
  StokerCostKey,
  StokerListCostsResponse,
  StokerCostLines,
  StokerCostLine,
  StokerJobCost,
  StokerReasons,
  StokerReason,
  StokerReasonKind,
  StokerDependencies,
  StokerDependencyState,
  StokerNodeFits,
  StokerNodeFit,
  StokerAttemptSummary,
  StokerResources,
  StokerListAllExecutionsRequest,
  StokerExecutionStatus,
  StokerListAllExecutionsResponse,
  StokerExecutionLines,
  StokerExecutionLine,
  StokerListAllJobsRequest,
  StokerListAllJobsResponse,
  StokerJobLines,
  StokerJobLine,
  StokerStartedBy,
  StokerCounts,
  StokerListNodesRequest,
  StokerListNodesResponse,
  StokerNodeLines,
  StokerNodeLine,
  StokerListQueuesRequest,
  StokerListQueuesResponse,
  StokerQueueLines,
  StokerQueueLine,
  StokerGpuLines,
  StokerGpuLine,
  StokerGpuSharers,
  StokerGpuSharer,
  StokerMigDeviceLines,
  StokerMigDeviceLine,
  StokerHeldJobs,
  StokerHeldJob,
  StokerUpdateJobRequest,
  StokerUpdateJobResponse,
  StokerSchedulingPriority,
  StokerJobId,
  StokerJobIds,
  StokerJobStatus,
  StokerJobStatuses,
  StokerStrings,
  StokerString,
  StokerBoolean,
  StokerInteger,
  StokerLong,
  StokerDouble,
};

// ---- Batch ----
constexpr std::string_view kBatchArrayJobDependency[] = {"N_TO_N", "SEQUENTIAL"};
constexpr Member kBatchArrayProperties[] = {
    {"size", BatchInteger},
};
constexpr Member kBatchArrayPropertiesDetail[] = {
    {"statusSummary", BatchArrayJobStatusSummary},
    {"statusSummaryLastUpdatedAt", BatchLong},
    {"size", BatchInteger},
    {"index", BatchInteger},
};
constexpr Member kBatchArrayPropertiesSummary[] = {
    {"size", BatchInteger},
    {"index", BatchInteger},
    {"statusSummary", BatchArrayJobStatusSummary},
    {"statusSummaryLastUpdatedAt", BatchLong},
};
constexpr std::string_view kBatchAssignPublicIp[] = {"ENABLED", "DISABLED"};
constexpr Member kBatchAttemptContainerDetail[] = {
    {"containerInstanceArn", BatchString},
    {"taskArn", BatchString},
    {"exitCode", BatchInteger},
    {"reason", BatchString},
    {"logStreamName", BatchString},
    {"networkInterfaces", BatchNetworkInterfaceList},
};
constexpr Member kBatchAttemptDetail[] = {
    {"container", BatchAttemptContainerDetail},
    {"startedAt", BatchLong},
    {"stoppedAt", BatchLong},
    {"statusReason", BatchString},
    {"taskProperties", BatchListAttemptEcsTaskDetails},
};
constexpr Member kBatchAttemptEcsTaskDetails[] = {
    {"containerInstanceArn", BatchString},
    {"taskArn", BatchString},
    {"containers", BatchListAttemptTaskContainerDetails},
};
constexpr Member kBatchAttemptTaskContainerDetails[] = {
    {"exitCode", BatchInteger},
    {"name", BatchString},
    {"reason", BatchString},
    {"logStreamName", BatchString},
    {"networkInterfaces", BatchNetworkInterfaceList},
};
constexpr std::string_view kBatchCEState[] = {"ENABLED", "DISABLED"};
constexpr std::string_view kBatchCEStatus[] = {"CREATING", "UPDATING", "DELETING", "DELETED", "VALID", "INVALID"};
constexpr std::string_view kBatchCEType[] = {"MANAGED", "UNMANAGED"};
constexpr std::string_view kBatchCRAllocationStrategy[] = {"BEST_FIT", "BEST_FIT_PROGRESSIVE", "BEST_FIT_PROGRESSIVE_ORDERED", "SPOT_CAPACITY_OPTIMIZED", "SPOT_PRICE_CAPACITY_OPTIMIZED", "SPOT_CAPACITY_OPTIMIZED_PRIORITIZED"};
constexpr std::string_view kBatchCRType[] = {"EC2", "SPOT", "FARGATE", "FARGATE_SPOT"};
constexpr std::string_view kBatchCRUpdateAllocationStrategy[] = {"BEST_FIT_PROGRESSIVE", "BEST_FIT_PROGRESSIVE_ORDERED", "SPOT_CAPACITY_OPTIMIZED", "SPOT_PRICE_CAPACITY_OPTIMIZED", "SPOT_CAPACITY_OPTIMIZED_PRIORITIZED"};
constexpr Member kBatchCancelJobRequest[] = {
    {"jobId", BatchString, kRequired},
    {"reason", BatchString, kRequired},
};
constexpr Member kBatchCapacityLimit[] = {
    {"maxCapacity", BatchInteger},
    {"capacityUnit", BatchString},
};
constexpr Member kBatchComputeEnvironmentDetail[] = {
    {"computeEnvironmentName", BatchString, kRequired},
    {"computeEnvironmentArn", BatchString, kRequired},
    {"unmanagedvCpus", BatchInteger},
    {"ecsClusterArn", BatchString},
    {"tags", BatchTagrisTagsMap},
    {"type", BatchCEType},
    {"state", BatchCEState},
    {"status", BatchCEStatus},
    {"statusReason", BatchString},
    {"computeResources", BatchComputeResource},
    {"serviceRole", BatchString},
    {"updatePolicy", BatchUpdatePolicy},
    {"eksConfiguration", BatchEksConfiguration},
    {"containerOrchestrationType", BatchOrchestrationType},
    {"uuid", BatchString},
    {"context", BatchString},
};
constexpr Member kBatchComputeEnvironmentOrder[] = {
    {"order", BatchInteger, kRequired},
    {"computeEnvironment", BatchString, kRequired},
};
constexpr Member kBatchComputeResource[] = {
    {"type", BatchCRType, kRequired},
    {"allocationStrategy", BatchCRAllocationStrategy},
    {"minvCpus", BatchInteger},
    {"maxvCpus", BatchInteger, kRequired},
    {"desiredvCpus", BatchInteger},
    {"instanceTypes", BatchStringList},
    {"imageId", BatchString},
    {"subnets", BatchStringList},
    {"securityGroupIds", BatchStringList},
    {"ec2KeyPair", BatchString},
    {"instanceRole", BatchString},
    {"tags", BatchTagsMap},
    {"placementGroup", BatchString},
    {"bidPercentage", BatchInteger},
    {"spotIamFleetRole", BatchString},
    {"launchTemplate", BatchLaunchTemplateSpecification},
    {"ec2Configuration", BatchEc2ConfigurationList},
    {"scalingPolicy", BatchComputeScalingPolicy},
};
constexpr Member kBatchComputeResourceUpdate[] = {
    {"minvCpus", BatchInteger},
    {"maxvCpus", BatchInteger},
    {"desiredvCpus", BatchInteger},
    {"subnets", BatchStringList},
    {"securityGroupIds", BatchStringList},
    {"allocationStrategy", BatchCRUpdateAllocationStrategy},
    {"instanceTypes", BatchStringList},
    {"ec2KeyPair", BatchString},
    {"instanceRole", BatchString},
    {"tags", BatchTagsMap},
    {"placementGroup", BatchString},
    {"bidPercentage", BatchInteger},
    {"launchTemplate", BatchLaunchTemplateSpecification},
    {"ec2Configuration", BatchEc2ConfigurationList},
    {"updateToLatestImageVersion", BatchBoolean},
    {"type", BatchCRType},
    {"imageId", BatchString},
    {"scalingPolicy", BatchComputeScalingPolicy},
};
constexpr Member kBatchComputeScalingPolicy[] = {
    {"minScaleDownDelayMinutes", BatchInteger},
};
constexpr Member kBatchConsumableResourceProperties[] = {
    {"consumableResourceList", BatchConsumableResourceList},
};
constexpr Member kBatchConsumableResourceRequirement[] = {
    {"consumableResource", BatchString},
    {"quantity", BatchLong},
};
constexpr Member kBatchConsumableResourceSummary[] = {
    {"consumableResourceArn", BatchString, kRequired},
    {"consumableResourceName", BatchString, kRequired},
    {"totalQuantity", BatchLong},
    {"inUseQuantity", BatchLong},
    {"resourceType", BatchString},
};
constexpr Member kBatchContainerDetail[] = {
    {"image", BatchString},
    {"vcpus", BatchInteger},
    {"memory", BatchInteger},
    {"command", BatchStringList},
    {"jobRoleArn", BatchString},
    {"executionRoleArn", BatchString},
    {"volumes", BatchVolumes},
    {"environment", BatchEnvironmentVariables},
    {"mountPoints", BatchMountPoints},
    {"readonlyRootFilesystem", BatchBoolean},
    {"ulimits", BatchUlimits},
    {"privileged", BatchBoolean},
    {"user", BatchString},
    {"exitCode", BatchInteger},
    {"reason", BatchString},
    {"containerInstanceArn", BatchString},
    {"taskArn", BatchString},
    {"logStreamName", BatchString},
    {"instanceType", BatchString},
    {"networkInterfaces", BatchNetworkInterfaceList},
    {"resourceRequirements", BatchResourceRequirements},
    {"linuxParameters", BatchLinuxParameters},
    {"logConfiguration", BatchLogConfiguration},
    {"secrets", BatchSecretList},
    {"networkConfiguration", BatchNetworkConfiguration},
    {"fargatePlatformConfiguration", BatchFargatePlatformConfiguration},
    {"ephemeralStorage", BatchEphemeralStorage},
    {"runtimePlatform", BatchRuntimePlatform},
    {"repositoryCredentials", BatchRepositoryCredentials},
    {"enableExecuteCommand", BatchBoolean},
};
constexpr Member kBatchContainerOverrides[] = {
    {"vcpus", BatchInteger},
    {"memory", BatchInteger},
    {"command", BatchStringList},
    {"instanceType", BatchString},
    {"environment", BatchEnvironmentVariables},
    {"resourceRequirements", BatchResourceRequirements},
};
constexpr Member kBatchContainerProperties[] = {
    {"image", BatchString},
    {"vcpus", BatchInteger},
    {"memory", BatchInteger},
    {"command", BatchStringList},
    {"jobRoleArn", BatchString},
    {"executionRoleArn", BatchString},
    {"volumes", BatchVolumes},
    {"environment", BatchEnvironmentVariables},
    {"mountPoints", BatchMountPoints},
    {"readonlyRootFilesystem", BatchBoolean},
    {"privileged", BatchBoolean},
    {"ulimits", BatchUlimits},
    {"user", BatchString},
    {"instanceType", BatchString},
    {"resourceRequirements", BatchResourceRequirements},
    {"linuxParameters", BatchLinuxParameters},
    {"logConfiguration", BatchLogConfiguration},
    {"secrets", BatchSecretList},
    {"networkConfiguration", BatchNetworkConfiguration},
    {"fargatePlatformConfiguration", BatchFargatePlatformConfiguration},
    {"enableExecuteCommand", BatchBoolean},
    {"ephemeralStorage", BatchEphemeralStorage},
    {"runtimePlatform", BatchRuntimePlatform},
    {"repositoryCredentials", BatchRepositoryCredentials},
};
constexpr Member kBatchContainerSummary[] = {
    {"exitCode", BatchInteger},
    {"reason", BatchString},
};
constexpr Member kBatchCreateComputeEnvironmentRequest[] = {
    {"computeEnvironmentName", BatchString, kRequired},
    {"type", BatchCEType, kRequired},
    {"state", BatchCEState},
    {"unmanagedvCpus", BatchInteger},
    {"computeResources", BatchComputeResource},
    {"serviceRole", BatchString},
    {"tags", BatchTagrisTagsMap},
    {"eksConfiguration", BatchEksConfiguration},
    {"context", BatchString},
};
constexpr Member kBatchCreateComputeEnvironmentResponse[] = {
    {"computeEnvironmentName", BatchString},
    {"computeEnvironmentArn", BatchString},
};
constexpr Member kBatchCreateConsumableResourceRequest[] = {
    {"consumableResourceName", BatchString, kRequired},
    {"totalQuantity", BatchLong},
    {"resourceType", BatchString},
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchCreateConsumableResourceResponse[] = {
    {"consumableResourceName", BatchString, kRequired},
    {"consumableResourceArn", BatchString, kRequired},
};
constexpr Member kBatchCreateJobQueueRequest[] = {
    {"jobQueueName", BatchString, kRequired},
    {"state", BatchJQState},
    {"schedulingPolicyArn", BatchString},
    {"priority", BatchInteger, kRequired},
    {"computeEnvironmentOrder", BatchComputeEnvironmentOrders},
    {"serviceEnvironmentOrder", BatchServiceEnvironmentOrders},
    {"jobQueueType", BatchJobQueueType},
    {"tags", BatchTagrisTagsMap},
    {"jobStateTimeLimitActions", BatchJobStateTimeLimitActions},
};
constexpr Member kBatchCreateJobQueueResponse[] = {
    {"jobQueueName", BatchString, kRequired},
    {"jobQueueArn", BatchString, kRequired},
};
constexpr Member kBatchCreateQuotaShareRequest[] = {
    {"quotaShareName", BatchString, kRequired},
    {"jobQueue", BatchString, kRequired},
    {"capacityLimits", BatchQuotaShareCapacityLimits, kRequired},
    {"resourceSharingConfiguration", BatchQuotaShareResourceSharingConfiguration, kRequired},
    {"preemptionConfiguration", BatchQuotaSharePreemptionConfiguration, kRequired},
    {"state", BatchQuotaShareState},
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchCreateQuotaShareResponse[] = {
    {"quotaShareName", BatchString},
    {"quotaShareArn", BatchString},
};
constexpr Member kBatchCreateSchedulingPolicyRequest[] = {
    {"name", BatchString, kRequired},
    {"quotaSharePolicy", BatchQuotaSharePolicy},
    {"fairsharePolicy", BatchFairsharePolicy},
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchCreateSchedulingPolicyResponse[] = {
    {"name", BatchString, kRequired},
    {"arn", BatchString, kRequired},
};
constexpr Member kBatchCreateServiceEnvironmentRequest[] = {
    {"serviceEnvironmentName", BatchString, kRequired},
    {"serviceEnvironmentType", BatchServiceEnvironmentType, kRequired},
    {"state", BatchServiceEnvironmentState},
    {"capacityLimits", BatchCapacityLimits, kRequired},
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchCreateServiceEnvironmentResponse[] = {
    {"serviceEnvironmentName", BatchString, kRequired},
    {"serviceEnvironmentArn", BatchString, kRequired},
};
constexpr Member kBatchDeleteComputeEnvironmentRequest[] = {
    {"computeEnvironment", BatchString, kRequired},
};
constexpr Member kBatchDeleteConsumableResourceRequest[] = {
    {"consumableResource", BatchString, kRequired},
};
constexpr Member kBatchDeleteJobQueueRequest[] = {
    {"jobQueue", BatchString, kRequired},
};
constexpr Member kBatchDeleteQuotaShareRequest[] = {
    {"quotaShareArn", BatchString, kRequired},
};
constexpr Member kBatchDeleteSchedulingPolicyRequest[] = {
    {"arn", BatchString, kRequired},
};
constexpr Member kBatchDeleteServiceEnvironmentRequest[] = {
    {"serviceEnvironment", BatchString, kRequired},
};
constexpr Member kBatchDeregisterJobDefinitionRequest[] = {
    {"jobDefinition", BatchString, kRequired},
};
constexpr Member kBatchDescribeComputeEnvironmentsRequest[] = {
    {"computeEnvironments", BatchStringList},
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
};
constexpr Member kBatchDescribeComputeEnvironmentsResponse[] = {
    {"computeEnvironments", BatchComputeEnvironmentDetailList},
    {"nextToken", BatchString},
};
constexpr Member kBatchDescribeConsumableResourceRequest[] = {
    {"consumableResource", BatchString, kRequired},
};
constexpr Member kBatchDescribeConsumableResourceResponse[] = {
    {"consumableResourceName", BatchString, kRequired},
    {"consumableResourceArn", BatchString, kRequired},
    {"totalQuantity", BatchLong},
    {"inUseQuantity", BatchLong},
    {"availableQuantity", BatchLong},
    {"resourceType", BatchString},
    {"createdAt", BatchLong},
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchDescribeJobDefinitionsRequest[] = {
    {"jobDefinitions", BatchStringList},
    {"maxResults", BatchInteger},
    {"jobDefinitionName", BatchString},
    {"status", BatchString},
    {"nextToken", BatchString},
};
constexpr Member kBatchDescribeJobDefinitionsResponse[] = {
    {"jobDefinitions", BatchJobDefinitionList},
    {"nextToken", BatchString},
};
constexpr Member kBatchDescribeJobQueuesRequest[] = {
    {"jobQueues", BatchStringList},
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
};
constexpr Member kBatchDescribeJobQueuesResponse[] = {
    {"jobQueues", BatchJobQueueDetailList},
    {"nextToken", BatchString},
};
constexpr Member kBatchDescribeJobsRequest[] = {
    {"jobs", BatchStringList, kRequired},
};
constexpr Member kBatchDescribeJobsResponse[] = {
    {"jobs", BatchJobDetailList},
};
constexpr Member kBatchDescribeQuotaShareRequest[] = {
    {"quotaShareArn", BatchString, kRequired},
};
constexpr Member kBatchDescribeQuotaShareResponse[] = {
    {"quotaShareName", BatchString},
    {"quotaShareArn", BatchString},
    {"jobQueueArn", BatchString},
    {"capacityLimits", BatchQuotaShareCapacityLimits},
    {"resourceSharingConfiguration", BatchQuotaShareResourceSharingConfiguration},
    {"preemptionConfiguration", BatchQuotaSharePreemptionConfiguration},
    {"state", BatchQuotaShareState},
    {"status", BatchQuotaShareStatus},
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchDescribeSchedulingPoliciesRequest[] = {
    {"arns", BatchStringList, kRequired},
};
constexpr Member kBatchDescribeSchedulingPoliciesResponse[] = {
    {"schedulingPolicies", BatchSchedulingPolicyDetailList},
};
constexpr Member kBatchDescribeServiceEnvironmentsRequest[] = {
    {"serviceEnvironments", BatchStringList},
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
};
constexpr Member kBatchDescribeServiceEnvironmentsResponse[] = {
    {"serviceEnvironments", BatchServiceEnvironmentDetailList},
    {"nextToken", BatchString},
};
constexpr Member kBatchDescribeServiceJobRequest[] = {
    {"jobId", BatchString, kRequired},
};
constexpr Member kBatchDescribeServiceJobResponse[] = {
    {"attempts", BatchServiceJobAttemptDetails},
    {"capacityUsage", BatchServiceJobCapacityUsageDetailList},
    {"createdAt", BatchLong},
    {"isTerminated", BatchBoolean},
    {"jobArn", BatchString},
    {"jobId", BatchString, kRequired},
    {"jobName", BatchString, kRequired},
    {"jobQueue", BatchString, kRequired},
    {"latestAttempt", BatchLatestServiceJobAttempt},
    {"retryStrategy", BatchServiceJobRetryStrategy},
    {"scheduledAt", BatchLong},
    {"schedulingPriority", BatchInteger},
    {"serviceRequestPayload", BatchString},
    {"serviceJobType", BatchServiceJobType, kRequired},
    {"shareIdentifier", BatchString},
    {"quotaShareName", BatchString},
    {"preemptionConfiguration", BatchServiceJobPreemptionConfiguration},
    {"preemptionSummary", BatchServiceJobPreemptionSummary},
    {"startedAt", BatchLong, kRequired},
    {"status", BatchServiceJobStatus, kRequired},
    {"statusReason", BatchString},
    {"stoppedAt", BatchLong},
    {"tags", BatchTagrisTagsMap},
    {"timeoutConfig", BatchServiceJobTimeout},
};
constexpr Member kBatchDevice[] = {
    {"hostPath", BatchString, kRequired},
    {"containerPath", BatchString},
    {"permissions", BatchDeviceCgroupPermissions},
};
constexpr std::string_view kBatchDeviceCgroupPermission[] = {"READ", "WRITE", "MKNOD"};
constexpr Member kBatchEFSAuthorizationConfig[] = {
    {"accessPointId", BatchString},
    {"iam", BatchEFSAuthorizationConfigIAM},
};
constexpr std::string_view kBatchEFSAuthorizationConfigIAM[] = {"ENABLED", "DISABLED"};
constexpr std::string_view kBatchEFSTransitEncryption[] = {"ENABLED", "DISABLED"};
constexpr Member kBatchEFSVolumeConfiguration[] = {
    {"fileSystemId", BatchString, kRequired},
    {"rootDirectory", BatchString},
    {"transitEncryption", BatchEFSTransitEncryption},
    {"transitEncryptionPort", BatchInteger},
    {"authorizationConfig", BatchEFSAuthorizationConfig},
};
constexpr Member kBatchEc2Configuration[] = {
    {"imageType", BatchImageType, kRequired},
    {"imageIdOverride", BatchImageIdOverride},
    {"batchImageStatus", BatchString},
    {"imageKubernetesVersion", BatchKubernetesVersion},
};
constexpr Member kBatchEcsProperties[] = {
    {"taskProperties", BatchListEcsTaskProperties, kRequired},
};
constexpr Member kBatchEcsPropertiesDetail[] = {
    {"taskProperties", BatchListEcsTaskDetails},
};
constexpr Member kBatchEcsPropertiesOverride[] = {
    {"taskProperties", BatchListTaskPropertiesOverride},
};
constexpr Member kBatchEcsTaskDetails[] = {
    {"containers", BatchListTaskContainerDetails},
    {"containerInstanceArn", BatchString},
    {"taskArn", BatchString},
    {"ephemeralStorage", BatchEphemeralStorage},
    {"executionRoleArn", BatchString},
    {"platformVersion", BatchString},
    {"ipcMode", BatchString},
    {"taskRoleArn", BatchString},
    {"pidMode", BatchString},
    {"networkConfiguration", BatchNetworkConfiguration},
    {"runtimePlatform", BatchRuntimePlatform},
    {"volumes", BatchVolumes},
    {"enableExecuteCommand", BatchBoolean},
};
constexpr Member kBatchEcsTaskProperties[] = {
    {"containers", BatchListTaskContainerProperties, kRequired},
    {"ephemeralStorage", BatchEphemeralStorage},
    {"executionRoleArn", BatchString},
    {"platformVersion", BatchString},
    {"ipcMode", BatchString},
    {"taskRoleArn", BatchString},
    {"pidMode", BatchString},
    {"networkConfiguration", BatchNetworkConfiguration},
    {"runtimePlatform", BatchRuntimePlatform},
    {"volumes", BatchVolumes},
    {"enableExecuteCommand", BatchBoolean},
};
constexpr Member kBatchEksAttemptContainerDetail[] = {
    {"name", BatchString},
    {"containerID", BatchString},
    {"exitCode", BatchInteger},
    {"reason", BatchString},
};
constexpr Member kBatchEksAttemptDetail[] = {
    {"containers", BatchEksAttemptContainerDetails},
    {"initContainers", BatchEksAttemptContainerDetails},
    {"eksClusterArn", BatchString},
    {"podName", BatchString},
    {"podNamespace", BatchString},
    {"nodeName", BatchString},
    {"startedAt", BatchLong},
    {"stoppedAt", BatchLong},
    {"statusReason", BatchString},
};
constexpr Member kBatchEksConfiguration[] = {
    {"eksClusterArn", BatchString, kRequired},
    {"kubernetesNamespace", BatchString, kRequired},
};
constexpr Member kBatchEksContainer[] = {
    {"name", BatchString},
    {"image", BatchString, kRequired},
    {"imagePullPolicy", BatchString},
    {"command", BatchStringList},
    {"args", BatchStringList},
    {"env", BatchEksContainerEnvironmentVariables},
    {"resources", BatchEksContainerResourceRequirements},
    {"volumeMounts", BatchEksContainerVolumeMounts},
    {"securityContext", BatchEksContainerSecurityContext},
};
constexpr Member kBatchEksContainerDetail[] = {
    {"name", BatchString},
    {"image", BatchString},
    {"imagePullPolicy", BatchString},
    {"command", BatchStringList},
    {"args", BatchStringList},
    {"env", BatchEksContainerEnvironmentVariables},
    {"resources", BatchEksContainerResourceRequirements},
    {"exitCode", BatchInteger},
    {"reason", BatchString},
    {"volumeMounts", BatchEksContainerVolumeMounts},
    {"securityContext", BatchEksContainerSecurityContext},
};
constexpr Member kBatchEksContainerEnvironmentVariable[] = {
    {"name", BatchString, kRequired},
    {"value", BatchString},
};
constexpr Member kBatchEksContainerOverride[] = {
    {"name", BatchString},
    {"image", BatchString},
    {"command", BatchStringList},
    {"args", BatchStringList},
    {"env", BatchEksContainerEnvironmentVariables},
    {"resources", BatchEksContainerResourceRequirements},
};
constexpr Member kBatchEksContainerResourceRequirements[] = {
    {"limits", BatchEksLimits},
    {"requests", BatchEksRequests},
};
constexpr Member kBatchEksContainerSecurityContext[] = {
    {"runAsUser", BatchLong},
    {"runAsGroup", BatchLong},
    {"privileged", BatchBoolean},
    {"allowPrivilegeEscalation", BatchBoolean},
    {"readOnlyRootFilesystem", BatchBoolean},
    {"runAsNonRoot", BatchBoolean},
};
constexpr Member kBatchEksContainerVolumeMount[] = {
    {"name", BatchString},
    {"mountPath", BatchString},
    {"subPath", BatchString},
    {"readOnly", BatchBoolean},
};
constexpr Member kBatchEksEmptyDir[] = {
    {"medium", BatchString},
    {"sizeLimit", BatchQuantity},
};
constexpr Member kBatchEksHostPath[] = {
    {"path", BatchString},
};
constexpr Member kBatchEksMetadata[] = {
    {"labels", BatchEksLabelsMap},
    {"annotations", BatchEksAnnotationsMap},
    {"namespace", BatchString},
};
constexpr Member kBatchEksPersistentVolumeClaim[] = {
    {"claimName", BatchString, kRequired},
    {"readOnly", BatchBoolean},
};
constexpr Member kBatchEksPodProperties[] = {
    {"serviceAccountName", BatchString},
    {"hostNetwork", BatchBoolean},
    {"dnsPolicy", BatchString},
    {"imagePullSecrets", BatchImagePullSecrets},
    {"containers", BatchEksContainers},
    {"initContainers", BatchEksContainers},
    {"volumes", BatchEksVolumes},
    {"metadata", BatchEksMetadata},
    {"shareProcessNamespace", BatchBoolean},
};
constexpr Member kBatchEksPodPropertiesDetail[] = {
    {"serviceAccountName", BatchString},
    {"hostNetwork", BatchBoolean},
    {"dnsPolicy", BatchString},
    {"imagePullSecrets", BatchImagePullSecrets},
    {"containers", BatchEksContainerDetails},
    {"initContainers", BatchEksContainerDetails},
    {"volumes", BatchEksVolumes},
    {"podName", BatchString},
    {"nodeName", BatchString},
    {"metadata", BatchEksMetadata},
    {"shareProcessNamespace", BatchBoolean},
};
constexpr Member kBatchEksPodPropertiesOverride[] = {
    {"containers", BatchEksContainerOverrideList},
    {"initContainers", BatchEksContainerOverrideList},
    {"metadata", BatchEksMetadata},
};
constexpr Member kBatchEksProperties[] = {
    {"podProperties", BatchEksPodProperties},
};
constexpr Member kBatchEksPropertiesDetail[] = {
    {"podProperties", BatchEksPodPropertiesDetail},
};
constexpr Member kBatchEksPropertiesOverride[] = {
    {"podProperties", BatchEksPodPropertiesOverride},
};
constexpr Member kBatchEksSecret[] = {
    {"secretName", BatchString, kRequired},
    {"optional", BatchBoolean},
};
constexpr Member kBatchEksVolume[] = {
    {"name", BatchString, kRequired},
    {"hostPath", BatchEksHostPath},
    {"emptyDir", BatchEksEmptyDir},
    {"secret", BatchEksSecret},
    {"persistentVolumeClaim", BatchEksPersistentVolumeClaim},
};
constexpr Member kBatchEphemeralStorage[] = {
    {"sizeInGiB", BatchInteger, kRequired},
};
constexpr Member kBatchEvaluateOnExit[] = {
    {"onStatusReason", BatchString},
    {"onReason", BatchString},
    {"onExitCode", BatchString},
    {"action", BatchRetryAction, kRequired},
};
constexpr Member kBatchFairshareCapacityUsage[] = {
    {"capacityUnit", BatchString},
    {"quantity", BatchDouble},
};
constexpr Member kBatchFairshareCapacityUtilization[] = {
    {"shareIdentifier", BatchString},
    {"capacityUsage", BatchFairshareCapacityUsageList},
};
constexpr Member kBatchFairsharePolicy[] = {
    {"shareDecaySeconds", BatchInteger},
    {"computeReservation", BatchInteger},
    {"shareDistribution", BatchShareAttributesList},
};
constexpr Member kBatchFairshareUtilizationDetail[] = {
    {"activeShareCount", BatchLong},
    {"topCapacityUtilization", BatchFairshareCapacityUtilizationList},
};
constexpr Member kBatchFargatePlatformConfiguration[] = {
    {"platformVersion", BatchString},
};
constexpr Member kBatchFirelensConfiguration[] = {
    {"type", BatchFirelensConfigurationType, kRequired},
    {"options", BatchFirelensConfigurationOptionsMap},
};
constexpr std::string_view kBatchFirelensConfigurationType[] = {"fluentd", "fluentbit"};
constexpr Member kBatchFrontOfQueueDetail[] = {
    {"jobs", BatchFrontOfQueueJobSummaryList},
    {"lastUpdatedAt", BatchLong},
};
constexpr Member kBatchFrontOfQueueJobSummary[] = {
    {"jobArn", BatchString},
    {"earliestTimeAtPosition", BatchLong},
};
constexpr Member kBatchFrontOfQuotaShareJobSummary[] = {
    {"jobArn", BatchString},
    {"earliestTimeAtPosition", BatchLong},
};
constexpr Member kBatchFrontOfQuotaSharesDetail[] = {
    {"quotaShares", BatchFrontOfQuotaSharesJobSummaryMap},
    {"lastUpdatedAt", BatchLong},
};
constexpr Member kBatchGetJobQueueSnapshotRequest[] = {
    {"jobQueue", BatchString, kRequired},
};
constexpr Member kBatchGetJobQueueSnapshotResponse[] = {
    {"frontOfQueue", BatchFrontOfQueueDetail},
    {"frontOfQuotaShares", BatchFrontOfQuotaSharesDetail},
    {"queueUtilization", BatchQueueSnapshotUtilizationDetail},
};
constexpr Member kBatchHost[] = {
    {"sourcePath", BatchString},
};
constexpr Member kBatchImagePullSecret[] = {
    {"name", BatchString, kRequired},
};
constexpr std::string_view kBatchJQState[] = {"ENABLED", "DISABLED"};
constexpr std::string_view kBatchJQStatus[] = {"CREATING", "UPDATING", "DELETING", "DELETED", "VALID", "INVALID"};
constexpr Member kBatchJobCapacityUsageSummary[] = {
    {"capacityUnit", BatchString},
    {"quantity", BatchDouble},
};
constexpr Member kBatchJobDefinition[] = {
    {"jobDefinitionName", BatchString, kRequired},
    {"jobDefinitionArn", BatchString, kRequired},
    {"revision", BatchInteger, kRequired},
    {"status", BatchString},
    {"type", BatchString, kRequired},
    {"schedulingPriority", BatchInteger},
    {"parameters", BatchParametersMap},
    {"retryStrategy", BatchRetryStrategy},
    {"containerProperties", BatchContainerProperties},
    {"timeout", BatchJobTimeout},
    {"nodeProperties", BatchNodeProperties},
    {"tags", BatchTagrisTagsMap},
    {"propagateTags", BatchBoolean},
    {"platformCapabilities", BatchPlatformCapabilityList},
    {"ecsProperties", BatchEcsProperties},
    {"eksProperties", BatchEksProperties},
    {"containerOrchestrationType", BatchOrchestrationType},
    {"consumableResourceProperties", BatchConsumableResourceProperties},
};
constexpr std::string_view kBatchJobDefinitionType[] = {"container", "multinode"};
constexpr Member kBatchJobDependency[] = {
    {"jobId", BatchString},
    {"type", BatchArrayJobDependency},
};
constexpr Member kBatchJobDetail[] = {
    {"jobArn", BatchString},
    {"jobName", BatchString, kRequired},
    {"jobId", BatchString, kRequired},
    {"jobQueue", BatchString, kRequired},
    {"status", BatchJobStatus, kRequired},
    {"shareIdentifier", BatchString},
    {"schedulingPriority", BatchInteger},
    {"attempts", BatchAttemptDetails},
    {"statusReason", BatchString},
    {"createdAt", BatchLong},
    {"retryStrategy", BatchRetryStrategy},
    {"startedAt", BatchLong, kRequired},
    {"stoppedAt", BatchLong},
    {"dependsOn", BatchJobDependencyList},
    {"jobDefinition", BatchString, kRequired},
    {"parameters", BatchParametersMap},
    {"container", BatchContainerDetail},
    {"nodeDetails", BatchNodeDetails},
    {"nodeProperties", BatchNodeProperties},
    {"arrayProperties", BatchArrayPropertiesDetail},
    {"timeout", BatchJobTimeout},
    {"tags", BatchTagrisTagsMap},
    {"propagateTags", BatchBoolean},
    {"platformCapabilities", BatchPlatformCapabilityList},
    {"eksProperties", BatchEksPropertiesDetail},
    {"eksAttempts", BatchEksAttemptDetails},
    {"ecsProperties", BatchEcsPropertiesDetail},
    {"isCancelled", BatchBoolean},
    {"isTerminated", BatchBoolean},
    {"consumableResourceProperties", BatchConsumableResourceProperties},
};
constexpr Member kBatchJobQueueDetail[] = {
    {"jobQueueName", BatchString, kRequired},
    {"jobQueueArn", BatchString, kRequired},
    {"state", BatchJQState, kRequired},
    {"schedulingPolicyArn", BatchString},
    {"status", BatchJQStatus},
    {"statusReason", BatchString},
    {"priority", BatchInteger, kRequired},
    {"computeEnvironmentOrder", BatchComputeEnvironmentOrders, kRequired},
    {"serviceEnvironmentOrder", BatchServiceEnvironmentOrders},
    {"jobQueueType", BatchJobQueueType},
    {"tags", BatchTagrisTagsMap},
    {"jobStateTimeLimitActions", BatchJobStateTimeLimitActions},
};
constexpr std::string_view kBatchJobQueueType[] = {"EKS", "ECS", "ECS_FARGATE", "SAGEMAKER_TRAINING"};
constexpr Member kBatchJobStateTimeLimitAction[] = {
    {"reason", BatchString, kRequired},
    {"state", BatchJobStateTimeLimitActionsState, kRequired},
    {"maxTimeSeconds", BatchInteger, kRequired},
    {"action", BatchJobStateTimeLimitActionsAction, kRequired},
};
constexpr std::string_view kBatchJobStateTimeLimitActionsAction[] = {"CANCEL", "TERMINATE"};
constexpr std::string_view kBatchJobStateTimeLimitActionsState[] = {"RUNNABLE"};
constexpr std::string_view kBatchJobStatus[] = {"SUBMITTED", "PENDING", "RUNNABLE", "STARTING", "RUNNING", "SUCCEEDED", "FAILED"};
constexpr Member kBatchJobSummary[] = {
    {"jobArn", BatchString},
    {"jobId", BatchString, kRequired},
    {"jobName", BatchString, kRequired},
    {"capacityUsage", BatchJobCapacityUsageSummaryList},
    {"createdAt", BatchLong},
    {"scheduledAt", BatchLong},
    {"shareIdentifier", BatchString},
    {"status", BatchJobStatus},
    {"statusReason", BatchString},
    {"startedAt", BatchLong},
    {"stoppedAt", BatchLong},
    {"container", BatchContainerSummary},
    {"arrayProperties", BatchArrayPropertiesSummary},
    {"nodeProperties", BatchNodePropertiesSummary},
    {"jobDefinition", BatchString},
};
constexpr Member kBatchJobTimeout[] = {
    {"attemptDurationSeconds", BatchInteger},
};
constexpr Member kBatchKeyValuePair[] = {
    {"name", BatchString},
    {"value", BatchString},
};
constexpr Member kBatchKeyValuesPair[] = {
    {"name", BatchString},
    {"values", BatchStringList},
};
constexpr Member kBatchLatestServiceJobAttempt[] = {
    {"serviceResourceId", BatchServiceResourceId},
};
constexpr Member kBatchLaunchTemplateSpecification[] = {
    {"launchTemplateId", BatchString},
    {"launchTemplateName", BatchString},
    {"version", BatchString},
    {"overrides", BatchLaunchTemplateSpecificationOverrideList},
    {"userdataType", BatchUserdataType},
};
constexpr Member kBatchLaunchTemplateSpecificationOverride[] = {
    {"launchTemplateId", BatchString},
    {"launchTemplateName", BatchString},
    {"version", BatchString},
    {"targetInstanceTypes", BatchStringList},
    {"userdataType", BatchUserdataType},
};
constexpr Member kBatchLinuxParameters[] = {
    {"devices", BatchDevicesList},
    {"initProcessEnabled", BatchBoolean},
    {"sharedMemorySize", BatchInteger},
    {"tmpfs", BatchTmpfsList},
    {"maxSwap", BatchInteger},
    {"swappiness", BatchInteger},
};
constexpr Member kBatchListConsumableResourcesRequest[] = {
    {"filters", BatchListConsumableResourcesFilterList},
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
};
constexpr Member kBatchListConsumableResourcesResponse[] = {
    {"consumableResources", BatchConsumableResourceSummaryList, kRequired},
    {"nextToken", BatchString},
};
constexpr Member kBatchListJobsByConsumableResourceRequest[] = {
    {"consumableResource", BatchString, kRequired},
    {"filters", BatchListJobsByConsumableResourceFilterList},
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
};
constexpr Member kBatchListJobsByConsumableResourceResponse[] = {
    {"jobs", BatchListJobsByConsumableResourceSummaryList, kRequired},
    {"nextToken", BatchString},
};
constexpr Member kBatchListJobsByConsumableResourceSummary[] = {
    {"jobArn", BatchString, kRequired},
    {"jobQueueArn", BatchString, kRequired},
    {"jobName", BatchString, kRequired},
    {"jobDefinitionArn", BatchString},
    {"shareIdentifier", BatchString},
    {"jobStatus", BatchString, kRequired},
    {"quantity", BatchLong, kRequired},
    {"statusReason", BatchString},
    {"startedAt", BatchLong},
    {"createdAt", BatchLong, kRequired},
    {"consumableResourceProperties", BatchConsumableResourceProperties, kRequired},
};
constexpr Member kBatchListJobsRequest[] = {
    {"jobQueue", BatchString},
    {"arrayJobId", BatchString},
    {"multiNodeJobId", BatchString},
    {"jobStatus", BatchJobStatus},
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
    {"filters", BatchListJobsFilterList},
};
constexpr Member kBatchListJobsResponse[] = {
    {"jobSummaryList", BatchJobSummaryList, kRequired},
    {"nextToken", BatchString},
};
constexpr Member kBatchListQuotaSharesRequest[] = {
    {"jobQueue", BatchString, kRequired},
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
};
constexpr Member kBatchListQuotaSharesResponse[] = {
    {"quotaShares", BatchQuotaShareList},
    {"nextToken", BatchString},
};
constexpr Member kBatchListSchedulingPoliciesRequest[] = {
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
};
constexpr Member kBatchListSchedulingPoliciesResponse[] = {
    {"schedulingPolicies", BatchSchedulingPolicyListingDetailList},
    {"nextToken", BatchString},
};
constexpr Member kBatchListServiceJobsRequest[] = {
    {"jobQueue", BatchString},
    {"jobStatus", BatchServiceJobStatus},
    {"maxResults", BatchInteger},
    {"nextToken", BatchString},
    {"filters", BatchListJobsFilterList},
};
constexpr Member kBatchListServiceJobsResponse[] = {
    {"jobSummaryList", BatchServiceJobSummaryList, kRequired},
    {"nextToken", BatchString},
};
constexpr Member kBatchListTagsForResourceRequest[] = {
    {"resourceArn", BatchString, kRequired, kUri},
};
constexpr Member kBatchListTagsForResourceResponse[] = {
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchLogConfiguration[] = {
    {"logDriver", BatchLogDriver, kRequired},
    {"options", BatchLogConfigurationOptionsMap},
    {"secretOptions", BatchSecretList},
};
constexpr std::string_view kBatchLogDriver[] = {"json-file", "syslog", "journald", "gelf", "fluentd", "awslogs", "splunk", "awsfirelens"};
constexpr Member kBatchMountPoint[] = {
    {"containerPath", BatchString},
    {"readOnly", BatchBoolean},
    {"sourceVolume", BatchString},
};
constexpr Member kBatchNetworkConfiguration[] = {
    {"assignPublicIp", BatchAssignPublicIp},
};
constexpr Member kBatchNetworkInterface[] = {
    {"attachmentId", BatchString},
    {"ipv6Address", BatchString},
    {"privateIpv4Address", BatchString},
};
constexpr Member kBatchNodeDetails[] = {
    {"nodeIndex", BatchInteger},
    {"isMainNode", BatchBoolean},
};
constexpr Member kBatchNodeOverrides[] = {
    {"numNodes", BatchInteger},
    {"nodePropertyOverrides", BatchNodePropertyOverrides},
};
constexpr Member kBatchNodeProperties[] = {
    {"numNodes", BatchInteger, kRequired},
    {"mainNode", BatchInteger, kRequired},
    {"nodeRangeProperties", BatchNodeRangeProperties, kRequired},
};
constexpr Member kBatchNodePropertiesSummary[] = {
    {"isMainNode", BatchBoolean},
    {"numNodes", BatchInteger},
    {"nodeIndex", BatchInteger},
};
constexpr Member kBatchNodePropertyOverride[] = {
    {"targetNodes", BatchString, kRequired},
    {"containerOverrides", BatchContainerOverrides},
    {"ecsPropertiesOverride", BatchEcsPropertiesOverride},
    {"instanceTypes", BatchStringList},
    {"eksPropertiesOverride", BatchEksPropertiesOverride},
    {"consumableResourcePropertiesOverride", BatchConsumableResourceProperties},
};
constexpr Member kBatchNodeRangeProperty[] = {
    {"targetNodes", BatchString, kRequired},
    {"container", BatchContainerProperties},
    {"instanceTypes", BatchStringList},
    {"ecsProperties", BatchEcsProperties},
    {"eksProperties", BatchEksProperties},
    {"consumableResourceProperties", BatchConsumableResourceProperties},
};
constexpr std::string_view kBatchOrchestrationType[] = {"ECS", "EKS"};
constexpr std::string_view kBatchPlatformCapability[] = {"EC2", "FARGATE"};
constexpr Member kBatchQueueSnapshotCapacityUsage[] = {
    {"capacityUnit", BatchString},
    {"quantity", BatchDouble},
};
constexpr Member kBatchQueueSnapshotUtilizationDetail[] = {
    {"totalCapacityUsage", BatchQueueSnapshotCapacityUsageList},
    {"fairshareUtilization", BatchFairshareUtilizationDetail},
    {"quotaShareUtilization", BatchQuotaShareUtilizationDetail},
    {"lastUpdatedAt", BatchLong},
};
constexpr Member kBatchQuotaShareCapacityLimit[] = {
    {"maxCapacity", BatchInteger, kRequired},
    {"capacityUnit", BatchString, kRequired},
};
constexpr Member kBatchQuotaShareCapacityUsage[] = {
    {"capacityUnit", BatchString},
    {"quantity", BatchDouble},
};
constexpr Member kBatchQuotaShareCapacityUtilization[] = {
    {"quotaShareName", BatchString},
    {"capacityUsage", BatchQuotaShareCapacityUsageList},
};
constexpr Member kBatchQuotaShareDetail[] = {
    {"quotaShareName", BatchString},
    {"quotaShareArn", BatchString},
    {"jobQueueArn", BatchString},
    {"capacityLimits", BatchQuotaShareCapacityLimits},
    {"resourceSharingConfiguration", BatchQuotaShareResourceSharingConfiguration},
    {"preemptionConfiguration", BatchQuotaSharePreemptionConfiguration},
    {"state", BatchQuotaShareState},
    {"status", BatchQuotaShareStatus},
};
constexpr std::string_view kBatchQuotaShareIdleResourceAssignmentStrategy[] = {"FIFO"};
constexpr std::string_view kBatchQuotaShareInSharePreemptionState[] = {"ENABLED", "DISABLED"};
constexpr Member kBatchQuotaSharePolicy[] = {
    {"idleResourceAssignmentStrategy", BatchQuotaShareIdleResourceAssignmentStrategy, kRequired},
};
constexpr Member kBatchQuotaSharePreemptionConfiguration[] = {
    {"inSharePreemption", BatchQuotaShareInSharePreemptionState, kRequired},
};
constexpr Member kBatchQuotaShareResourceSharingConfiguration[] = {
    {"strategy", BatchQuotaShareResourceSharingStrategy, kRequired},
    {"borrowLimit", BatchInteger},
};
constexpr std::string_view kBatchQuotaShareResourceSharingStrategy[] = {"RESERVE", "LEND", "LEND_AND_BORROW"};
constexpr std::string_view kBatchQuotaShareState[] = {"ENABLED", "DISABLED"};
constexpr std::string_view kBatchQuotaShareStatus[] = {"CREATING", "VALID", "INVALID", "UPDATING", "DELETING"};
constexpr Member kBatchQuotaShareUtilizationDetail[] = {
    {"topCapacityUtilization", BatchQuotaShareCapacityUtilizationList},
};
constexpr Member kBatchRegisterJobDefinitionRequest[] = {
    {"jobDefinitionName", BatchString, kRequired},
    {"type", BatchJobDefinitionType, kRequired},
    {"parameters", BatchParametersMap},
    {"schedulingPriority", BatchInteger},
    {"containerProperties", BatchContainerProperties},
    {"nodeProperties", BatchNodeProperties},
    {"retryStrategy", BatchRetryStrategy},
    {"propagateTags", BatchBoolean},
    {"timeout", BatchJobTimeout},
    {"tags", BatchTagrisTagsMap},
    {"platformCapabilities", BatchPlatformCapabilityList},
    {"eksProperties", BatchEksProperties},
    {"ecsProperties", BatchEcsProperties},
    {"consumableResourceProperties", BatchConsumableResourceProperties},
};
constexpr Member kBatchRegisterJobDefinitionResponse[] = {
    {"jobDefinitionName", BatchString, kRequired},
    {"jobDefinitionArn", BatchString, kRequired},
    {"revision", BatchInteger, kRequired},
};
constexpr Member kBatchRepositoryCredentials[] = {
    {"credentialsParameter", BatchString, kRequired},
};
constexpr Member kBatchResourceRequirement[] = {
    {"value", BatchString, kRequired},
    {"type", BatchResourceType, kRequired},
};
constexpr std::string_view kBatchResourceType[] = {"GPU", "VCPU", "MEMORY"};
constexpr std::string_view kBatchRetryAction[] = {"RETRY", "EXIT"};
constexpr Member kBatchRetryStrategy[] = {
    {"attempts", BatchInteger},
    {"evaluateOnExit", BatchEvaluateOnExitList},
};
constexpr Member kBatchRuntimePlatform[] = {
    {"operatingSystemFamily", BatchString},
    {"cpuArchitecture", BatchString},
};
constexpr Member kBatchS3FilesVolumeConfiguration[] = {
    {"fileSystemArn", BatchString, kRequired},
    {"rootDirectory", BatchString},
    {"transitEncryptionPort", BatchInteger},
    {"accessPointArn", BatchString},
};
constexpr Member kBatchSchedulingPolicyDetail[] = {
    {"name", BatchString, kRequired},
    {"arn", BatchString, kRequired},
    {"quotaSharePolicy", BatchQuotaSharePolicy},
    {"fairsharePolicy", BatchFairsharePolicy},
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchSchedulingPolicyListingDetail[] = {
    {"arn", BatchString, kRequired},
};
constexpr Member kBatchSecret[] = {
    {"name", BatchString, kRequired},
    {"valueFrom", BatchString, kRequired},
};
constexpr Member kBatchServiceEnvironmentDetail[] = {
    {"serviceEnvironmentName", BatchString, kRequired},
    {"serviceEnvironmentArn", BatchString, kRequired},
    {"serviceEnvironmentType", BatchServiceEnvironmentType, kRequired},
    {"state", BatchServiceEnvironmentState},
    {"status", BatchServiceEnvironmentStatus},
    {"capacityLimits", BatchCapacityLimits, kRequired},
    {"tags", BatchTagrisTagsMap},
};
constexpr Member kBatchServiceEnvironmentOrder[] = {
    {"order", BatchInteger, kRequired},
    {"serviceEnvironment", BatchString, kRequired},
};
constexpr std::string_view kBatchServiceEnvironmentState[] = {"ENABLED", "DISABLED"};
constexpr std::string_view kBatchServiceEnvironmentStatus[] = {"CREATING", "UPDATING", "DELETING", "DELETED", "VALID", "INVALID"};
constexpr std::string_view kBatchServiceEnvironmentType[] = {"SAGEMAKER_TRAINING"};
constexpr Member kBatchServiceJobAttemptDetail[] = {
    {"serviceResourceId", BatchServiceResourceId},
    {"startedAt", BatchLong},
    {"stoppedAt", BatchLong},
    {"statusReason", BatchString},
};
constexpr Member kBatchServiceJobCapacityUsageDetail[] = {
    {"capacityUnit", BatchString},
    {"quantity", BatchDouble},
};
constexpr Member kBatchServiceJobCapacityUsageSummary[] = {
    {"capacityUnit", BatchString},
    {"quantity", BatchDouble},
};
constexpr Member kBatchServiceJobEvaluateOnExit[] = {
    {"action", BatchServiceJobRetryAction},
    {"onStatusReason", BatchString},
};
constexpr Member kBatchServiceJobPreemptedAttempt[] = {
    {"serviceResourceId", BatchServiceResourceId},
    {"startedAt", BatchLong},
    {"stoppedAt", BatchLong},
    {"statusReason", BatchString},
};
constexpr Member kBatchServiceJobPreemptionConfiguration[] = {
    {"preemptionRetriesBeforeTermination", BatchInteger},
};
constexpr Member kBatchServiceJobPreemptionSummary[] = {
    {"preemptedAttemptCount", BatchInteger},
    {"recentPreemptedAttempts", BatchServiceJobRecentPreemptedAttemptList},
};
constexpr std::string_view kBatchServiceJobRetryAction[] = {"RETRY", "EXIT"};
constexpr Member kBatchServiceJobRetryStrategy[] = {
    {"attempts", BatchInteger, kRequired},
    {"evaluateOnExit", BatchServiceJobEvaluateOnExitList},
};
constexpr std::string_view kBatchServiceJobStatus[] = {"SUBMITTED", "PENDING", "RUNNABLE", "SCHEDULED", "STARTING", "RUNNING", "SUCCEEDED", "FAILED"};
constexpr Member kBatchServiceJobSummary[] = {
    {"latestAttempt", BatchLatestServiceJobAttempt},
    {"capacityUsage", BatchServiceJobCapacityUsageSummaryList},
    {"createdAt", BatchLong},
    {"jobArn", BatchString},
    {"jobId", BatchString, kRequired},
    {"jobName", BatchString, kRequired},
    {"scheduledAt", BatchLong},
    {"serviceJobType", BatchServiceJobType, kRequired},
    {"shareIdentifier", BatchString},
    {"quotaShareName", BatchString},
    {"status", BatchServiceJobStatus},
    {"statusReason", BatchString},
    {"startedAt", BatchLong},
    {"stoppedAt", BatchLong},
};
constexpr Member kBatchServiceJobTimeout[] = {
    {"attemptDurationSeconds", BatchInteger},
};
constexpr std::string_view kBatchServiceJobType[] = {"SAGEMAKER_TRAINING"};
constexpr Member kBatchServiceResourceId[] = {
    {"name", BatchServiceResourceIdName, kRequired},
    {"value", BatchString, kRequired},
};
constexpr std::string_view kBatchServiceResourceIdName[] = {"TrainingJobArn"};
constexpr Member kBatchShareAttributes[] = {
    {"shareIdentifier", BatchString, kRequired},
    {"weightFactor", BatchFloat},
};
constexpr Member kBatchSubmitJobRequest[] = {
    {"jobName", BatchString, kRequired},
    {"jobQueue", BatchString, kRequired},
    {"shareIdentifier", BatchString},
    {"schedulingPriorityOverride", BatchInteger},
    {"arrayProperties", BatchArrayProperties},
    {"dependsOn", BatchJobDependencyList},
    {"jobDefinition", BatchString, kRequired},
    {"parameters", BatchParametersMap},
    {"containerOverrides", BatchContainerOverrides},
    {"nodeOverrides", BatchNodeOverrides},
    {"retryStrategy", BatchRetryStrategy},
    {"propagateTags", BatchBoolean},
    {"timeout", BatchJobTimeout},
    {"tags", BatchTagrisTagsMap},
    {"eksPropertiesOverride", BatchEksPropertiesOverride},
    {"ecsPropertiesOverride", BatchEcsPropertiesOverride},
    {"consumableResourcePropertiesOverride", BatchConsumableResourceProperties},
};
constexpr Member kBatchSubmitJobResponse[] = {
    {"jobArn", BatchString},
    {"jobName", BatchString, kRequired},
    {"jobId", BatchString, kRequired},
};
constexpr Member kBatchSubmitServiceJobRequest[] = {
    {"jobName", BatchString, kRequired},
    {"jobQueue", BatchString, kRequired},
    {"retryStrategy", BatchServiceJobRetryStrategy},
    {"schedulingPriority", BatchInteger},
    {"serviceRequestPayload", BatchString, kRequired},
    {"serviceJobType", BatchServiceJobType, kRequired},
    {"shareIdentifier", BatchString},
    {"quotaShareName", BatchString},
    {"preemptionConfiguration", BatchServiceJobPreemptionConfiguration},
    {"timeoutConfig", BatchServiceJobTimeout},
    {"tags", BatchTagrisTagsMap},
    {"clientToken", BatchClientRequestToken},
};
constexpr Member kBatchSubmitServiceJobResponse[] = {
    {"jobArn", BatchString},
    {"jobName", BatchString, kRequired},
    {"jobId", BatchString, kRequired},
};
constexpr Member kBatchTagResourceRequest[] = {
    {"resourceArn", BatchString, kRequired, kUri},
    {"tags", BatchTagrisTagsMap, kRequired},
};
constexpr Member kBatchTaskContainerDependency[] = {
    {"containerName", BatchString},
    {"condition", BatchString},
};
constexpr Member kBatchTaskContainerDetails[] = {
    {"command", BatchStringList},
    {"dependsOn", BatchTaskContainerDependencyList},
    {"environment", BatchEnvironmentVariables},
    {"essential", BatchBoolean},
    {"firelensConfiguration", BatchFirelensConfiguration},
    {"image", BatchString},
    {"linuxParameters", BatchLinuxParameters},
    {"logConfiguration", BatchLogConfiguration},
    {"mountPoints", BatchMountPoints},
    {"name", BatchString},
    {"privileged", BatchBoolean},
    {"readonlyRootFilesystem", BatchBoolean},
    {"repositoryCredentials", BatchRepositoryCredentials},
    {"resourceRequirements", BatchResourceRequirements},
    {"secrets", BatchSecretList},
    {"ulimits", BatchUlimits},
    {"user", BatchString},
    {"startTimeout", BatchInteger},
    {"stopTimeout", BatchInteger},
    {"exitCode", BatchInteger},
    {"reason", BatchString},
    {"logStreamName", BatchString},
    {"networkInterfaces", BatchNetworkInterfaceList},
};
constexpr Member kBatchTaskContainerOverrides[] = {
    {"command", BatchStringList},
    {"environment", BatchEnvironmentVariables},
    {"name", BatchString},
    {"resourceRequirements", BatchResourceRequirements},
};
constexpr Member kBatchTaskContainerProperties[] = {
    {"command", BatchStringList},
    {"dependsOn", BatchTaskContainerDependencyList},
    {"environment", BatchEnvironmentVariables},
    {"essential", BatchBoolean},
    {"firelensConfiguration", BatchFirelensConfiguration},
    {"image", BatchString, kRequired},
    {"linuxParameters", BatchLinuxParameters},
    {"logConfiguration", BatchLogConfiguration},
    {"mountPoints", BatchMountPoints},
    {"name", BatchString},
    {"privileged", BatchBoolean},
    {"readonlyRootFilesystem", BatchBoolean},
    {"repositoryCredentials", BatchRepositoryCredentials},
    {"resourceRequirements", BatchResourceRequirements},
    {"secrets", BatchSecretList},
    {"ulimits", BatchUlimits},
    {"user", BatchString},
    {"startTimeout", BatchInteger},
    {"stopTimeout", BatchInteger},
};
constexpr Member kBatchTaskPropertiesOverride[] = {
    {"containers", BatchListTaskContainerOverrides},
};
constexpr Member kBatchTerminateJobRequest[] = {
    {"jobId", BatchString, kRequired},
    {"reason", BatchString, kRequired},
};
constexpr Member kBatchTerminateServiceJobRequest[] = {
    {"jobId", BatchString, kRequired},
    {"reason", BatchString, kRequired},
};
constexpr Member kBatchTmpfs[] = {
    {"containerPath", BatchString, kRequired},
    {"size", BatchInteger, kRequired},
    {"mountOptions", BatchStringList},
};
constexpr Member kBatchUlimit[] = {
    {"hardLimit", BatchInteger, kRequired},
    {"name", BatchString, kRequired},
    {"softLimit", BatchInteger, kRequired},
};
constexpr Member kBatchUntagResourceRequest[] = {
    {"resourceArn", BatchString, kRequired, kUri},
    {"tagKeys", BatchTagKeysList, kRequired, kQuery},
};
constexpr Member kBatchUpdateComputeEnvironmentRequest[] = {
    {"computeEnvironment", BatchString, kRequired},
    {"state", BatchCEState},
    {"unmanagedvCpus", BatchInteger},
    {"computeResources", BatchComputeResourceUpdate},
    {"serviceRole", BatchString},
    {"updatePolicy", BatchUpdatePolicy},
    {"context", BatchString},
};
constexpr Member kBatchUpdateComputeEnvironmentResponse[] = {
    {"computeEnvironmentName", BatchString},
    {"computeEnvironmentArn", BatchString},
};
constexpr Member kBatchUpdateConsumableResourceRequest[] = {
    {"consumableResource", BatchString, kRequired},
    {"operation", BatchString},
    {"quantity", BatchLong},
    {"clientToken", BatchClientRequestToken},
};
constexpr Member kBatchUpdateConsumableResourceResponse[] = {
    {"consumableResourceName", BatchString, kRequired},
    {"consumableResourceArn", BatchString, kRequired},
    {"totalQuantity", BatchLong},
};
constexpr Member kBatchUpdateJobQueueRequest[] = {
    {"jobQueue", BatchString, kRequired},
    {"state", BatchJQState},
    {"schedulingPolicyArn", BatchString},
    {"priority", BatchInteger},
    {"computeEnvironmentOrder", BatchComputeEnvironmentOrders},
    {"serviceEnvironmentOrder", BatchServiceEnvironmentOrders},
    {"jobStateTimeLimitActions", BatchJobStateTimeLimitActions},
};
constexpr Member kBatchUpdateJobQueueResponse[] = {
    {"jobQueueName", BatchString},
    {"jobQueueArn", BatchString},
};
constexpr Member kBatchUpdatePolicy[] = {
    {"terminateJobsOnUpdate", BatchBoolean},
    {"jobExecutionTimeoutMinutes", BatchJobExecutionTimeoutMinutes},
};
constexpr Member kBatchUpdateQuotaShareRequest[] = {
    {"quotaShareArn", BatchString, kRequired},
    {"capacityLimits", BatchQuotaShareCapacityLimits},
    {"resourceSharingConfiguration", BatchQuotaShareResourceSharingConfiguration},
    {"preemptionConfiguration", BatchQuotaSharePreemptionConfiguration},
    {"state", BatchQuotaShareState},
};
constexpr Member kBatchUpdateQuotaShareResponse[] = {
    {"quotaShareName", BatchString},
    {"quotaShareArn", BatchString},
};
constexpr Member kBatchUpdateSchedulingPolicyRequest[] = {
    {"arn", BatchString, kRequired},
    {"quotaSharePolicy", BatchQuotaSharePolicy},
    {"fairsharePolicy", BatchFairsharePolicy},
};
constexpr Member kBatchUpdateServiceEnvironmentRequest[] = {
    {"serviceEnvironment", BatchString, kRequired},
    {"state", BatchServiceEnvironmentState},
    {"capacityLimits", BatchCapacityLimits},
};
constexpr Member kBatchUpdateServiceEnvironmentResponse[] = {
    {"serviceEnvironmentName", BatchString, kRequired},
    {"serviceEnvironmentArn", BatchString, kRequired},
};
constexpr Member kBatchUpdateServiceJobRequest[] = {
    {"jobId", BatchString, kRequired},
    {"schedulingPriority", BatchInteger, kRequired},
};
constexpr Member kBatchUpdateServiceJobResponse[] = {
    {"jobArn", BatchString},
    {"jobName", BatchString},
    {"jobId", BatchString},
};
constexpr std::string_view kBatchUserdataType[] = {"EKS_BOOTSTRAP_SH", "EKS_NODEADM"};
constexpr Member kBatchVolume[] = {
    {"host", BatchHost},
    {"name", BatchString},
    {"efsVolumeConfiguration", BatchEFSVolumeConfiguration},
    {"s3filesVolumeConfiguration", BatchS3FilesVolumeConfiguration},
};
// ---- Logs ----
constexpr std::string_view kLogsDataProtectionStatus[] = {"ACTIVATED", "DELETED", "ARCHIVED", "DISABLED"};
constexpr Member kLogsDataSourceFilter[] = {
    {"name", LogsDataSourceName, kRequired},
    {"type", LogsDataSourceType},
};
constexpr Member kLogsDescribeLogGroupsRequest[] = {
    {"accountIdentifiers", LogsAccountIds},
    {"logGroupNamePrefix", LogsLogGroupName},
    {"logGroupNamePattern", LogsLogGroupNamePattern},
    {"nextToken", LogsNextToken},
    {"limit", LogsDescribeLimit},
    {"includeLinkedAccounts", LogsIncludeLinkedAccounts},
    {"logGroupClass", LogsLogGroupClass},
    {"logGroupIdentifiers", LogsDescribeLogGroupsLogGroupIdentifiers},
};
constexpr Member kLogsDescribeLogGroupsResponse[] = {
    {"logGroups", LogsLogGroups},
    {"nextToken", LogsNextToken},
};
constexpr Member kLogsDescribeLogStreamsRequest[] = {
    {"logGroupName", LogsLogGroupName},
    {"logGroupIdentifier", LogsLogGroupIdentifier},
    {"logStreamNamePrefix", LogsLogStreamName},
    {"orderBy", LogsOrderBy},
    {"descending", LogsDescending},
    {"nextToken", LogsNextToken},
    {"limit", LogsDescribeLimit},
};
constexpr Member kLogsDescribeLogStreamsResponse[] = {
    {"logStreams", LogsLogStreams},
    {"nextToken", LogsNextToken},
};
constexpr Member kLogsFilterLogEventsRequest[] = {
    {"logGroupName", LogsLogGroupName},
    {"logGroupIdentifier", LogsLogGroupIdentifier},
    {"logStreamNames", LogsInputLogStreamNames},
    {"logStreamNamePrefix", LogsLogStreamName},
    {"startTime", LogsTimestamp},
    {"endTime", LogsTimestamp},
    {"filterPattern", LogsFilterPattern},
    {"nextToken", LogsNextToken},
    {"limit", LogsEventsLimit},
    {"startFromHead", LogsStartFromHead},
    {"interleaved", LogsInterleaved},
    {"unmask", LogsUnmask},
};
constexpr Member kLogsFilterLogEventsResponse[] = {
    {"events", LogsFilteredLogEvents},
    {"searchedLogStreams", LogsSearchedLogStreams},
    {"nextToken", LogsNextToken},
};
constexpr Member kLogsFilteredLogEvent[] = {
    {"logStreamName", LogsLogStreamName},
    {"timestamp", LogsTimestamp},
    {"message", LogsEventMessage},
    {"ingestionTime", LogsTimestamp},
    {"eventId", LogsEventId},
};
constexpr Member kLogsGetLogEventsRequest[] = {
    {"logGroupName", LogsLogGroupName},
    {"logGroupIdentifier", LogsLogGroupIdentifier},
    {"logStreamName", LogsLogStreamName, kRequired},
    {"startTime", LogsTimestamp},
    {"endTime", LogsTimestamp},
    {"nextToken", LogsNextToken},
    {"limit", LogsEventsLimit},
    {"startFromHead", LogsStartFromHead},
    {"unmask", LogsUnmask},
};
constexpr Member kLogsGetLogEventsResponse[] = {
    {"events", LogsOutputLogEvents},
    {"nextForwardToken", LogsNextToken},
    {"nextBackwardToken", LogsNextToken},
};
constexpr std::string_view kLogsInheritedProperty[] = {"ACCOUNT_DATA_PROTECTION"};
constexpr Member kLogsListLogGroupsRequest[] = {
    {"logGroupNamePattern", LogsLogGroupNameRegexPattern},
    {"logGroupClass", LogsLogGroupClass},
    {"includeLinkedAccounts", LogsIncludeLinkedAccounts},
    {"accountIdentifiers", LogsAccountIds},
    {"nextToken", LogsNextToken},
    {"limit", LogsListLimit},
    {"dataSources", LogsDataSourceFilters},
    {"fieldIndexNames", LogsFieldIndexNames},
    {"logGroupTags", LogsTagFilters},
};
constexpr Member kLogsListLogGroupsResponse[] = {
    {"logGroups", LogsLogGroupSummaries},
    {"nextToken", LogsNextToken},
};
constexpr Member kLogsListTagsForResourceRequest[] = {
    {"resourceArn", LogsAmazonResourceName, kRequired},
};
constexpr Member kLogsListTagsForResourceResponse[] = {
    {"tags", LogsTags},
};
constexpr Member kLogsListTagsLogGroupRequest[] = {
    {"logGroupName", LogsLogGroupName, kRequired},
};
constexpr Member kLogsListTagsLogGroupResponse[] = {
    {"tags", LogsTags},
};
constexpr Member kLogsLiveTailSessionLogEvent[] = {
    {"logStreamName", LogsLogStreamName},
    {"logGroupIdentifier", LogsLogGroupIdentifier},
    {"message", LogsEventMessage},
    {"timestamp", LogsTimestamp},
    {"ingestionTime", LogsTimestamp},
};
constexpr Member kLogsLiveTailSessionMetadata[] = {
    {"sampled", LogsIsSampled},
};
constexpr Member kLogsLiveTailSessionStart[] = {
    {"requestId", LogsRequestId},
    {"sessionId", LogsSessionId},
    {"logGroupIdentifiers", LogsStartLiveTailLogGroupIdentifiers},
    {"logStreamNames", LogsInputLogStreamNames},
    {"logStreamNamePrefixes", LogsInputLogStreamNames},
    {"logEventFilterPattern", LogsFilterPattern},
};
constexpr Member kLogsLiveTailSessionUpdate[] = {
    {"sessionMetadata", LogsLiveTailSessionMetadata},
    {"sessionResults", LogsLiveTailSessionResults},
};
constexpr Member kLogsLogGroup[] = {
    {"logGroupName", LogsLogGroupName},
    {"creationTime", LogsTimestamp},
    {"retentionInDays", LogsDays},
    {"metricFilterCount", LogsFilterCount},
    {"arn", LogsArn},
    {"storedBytes", LogsStoredBytes},
    {"kmsKeyId", LogsKmsKeyId},
    {"dataProtectionStatus", LogsDataProtectionStatus},
    {"inheritedProperties", LogsInheritedProperties},
    {"logGroupClass", LogsLogGroupClass},
    {"logGroupArn", LogsArn},
    {"deletionProtectionEnabled", LogsDeletionProtectionEnabled},
    {"bearerTokenAuthenticationEnabled", LogsBearerTokenAuthenticationEnabled},
};
constexpr std::string_view kLogsLogGroupClass[] = {"STANDARD", "INFREQUENT_ACCESS", "DELIVERY"};
constexpr Member kLogsLogGroupSummary[] = {
    {"logGroupName", LogsLogGroupName},
    {"logGroupArn", LogsArn},
    {"logGroupClass", LogsLogGroupClass},
};
constexpr Member kLogsLogStream[] = {
    {"logStreamName", LogsLogStreamName},
    {"creationTime", LogsTimestamp},
    {"firstEventTimestamp", LogsTimestamp},
    {"lastEventTimestamp", LogsTimestamp},
    {"lastIngestionTime", LogsTimestamp},
    {"uploadSequenceToken", LogsSequenceToken},
    {"arn", LogsArn},
    {"storedBytes", LogsStoredBytes},
};
constexpr std::string_view kLogsOrderBy[] = {"LogStreamName", "LastEventTime"};
constexpr Member kLogsOutputLogEvent[] = {
    {"timestamp", LogsTimestamp},
    {"message", LogsEventMessage},
    {"ingestionTime", LogsTimestamp},
};
constexpr Member kLogsSearchedLogStream[] = {
    {"logStreamName", LogsLogStreamName},
    {"searchedCompletely", LogsLogStreamSearchedCompletely},
};
constexpr Member kLogsSessionStreamingException[] = {
    {"message", LogsMessage},
};
constexpr Member kLogsSessionTimeoutException[] = {
    {"message", LogsMessage},
};
constexpr Member kLogsStartLiveTailRequest[] = {
    {"logGroupIdentifiers", LogsStartLiveTailLogGroupIdentifiers, kRequired},
    {"logStreamNames", LogsInputLogStreamNames},
    {"logStreamNamePrefixes", LogsInputLogStreamNames},
    {"logEventFilterPattern", LogsFilterPattern},
};
constexpr Member kLogsStartLiveTailResponse[] = {
    {"responseStream", LogsStartLiveTailResponseStream},
};
constexpr Member kLogsStartLiveTailResponseStream[] = {
    {"sessionStart", LogsLiveTailSessionStart},
    {"sessionUpdate", LogsLiveTailSessionUpdate},
    {"SessionTimeoutException", LogsSessionTimeoutException},
    {"SessionStreamingException", LogsSessionStreamingException},
};
constexpr Member kLogsTagFilter[] = {
    {"key", LogsTagFilterKey, kRequired},
    {"values", LogsTagFilterValues},
};
// ---- States ----
constexpr Member kStatesActivityFailedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesActivityListItem[] = {
    {"activityArn", StatesArn, kRequired},
    {"name", StatesName, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
};
constexpr Member kStatesActivityScheduleFailedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesActivityScheduledEventDetails[] = {
    {"resource", StatesArn, kRequired},
    {"input", StatesSensitiveData},
    {"inputDetails", StatesHistoryEventExecutionDataDetails},
    {"timeoutInSeconds", StatesTimeoutInSeconds},
    {"heartbeatInSeconds", StatesTimeoutInSeconds},
};
constexpr Member kStatesActivityStartedEventDetails[] = {
    {"workerName", StatesIdentity},
};
constexpr Member kStatesActivitySucceededEventDetails[] = {
    {"output", StatesSensitiveData},
    {"outputDetails", StatesHistoryEventExecutionDataDetails},
};
constexpr Member kStatesActivityTimedOutEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesAssignedVariablesDetails[] = {
    {"truncated", StatesTruncated},
};
constexpr Member kStatesBillingDetails[] = {
    {"billedMemoryUsedInMB", StatesBilledMemoryUsed},
    {"billedDurationInMilliseconds", StatesBilledDuration},
};
constexpr Member kStatesCloudWatchEventsExecutionDataDetails[] = {
    {"included", StatesIncludedDetails},
};
constexpr Member kStatesCloudWatchLogsLogGroup[] = {
    {"logGroupArn", StatesArn},
};
constexpr Member kStatesCreateActivityInput[] = {
    {"name", StatesName, kRequired},
    {"tags", StatesTagList},
    {"encryptionConfiguration", StatesEncryptionConfiguration},
};
constexpr Member kStatesCreateActivityOutput[] = {
    {"activityArn", StatesArn, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
};
constexpr Member kStatesCreateStateMachineAliasInput[] = {
    {"description", StatesAliasDescription},
    {"name", StatesCharacterRestrictedName, kRequired},
    {"routingConfiguration", StatesRoutingConfigurationList, kRequired},
};
constexpr Member kStatesCreateStateMachineAliasOutput[] = {
    {"stateMachineAliasArn", StatesArn, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
};
constexpr Member kStatesCreateStateMachineInput[] = {
    {"name", StatesName, kRequired},
    {"definition", StatesDefinition, kRequired},
    {"roleArn", StatesArn, kRequired},
    {"type", StatesStateMachineType},
    {"loggingConfiguration", StatesLoggingConfiguration},
    {"tags", StatesTagList},
    {"tracingConfiguration", StatesTracingConfiguration},
    {"publish", StatesPublish},
    {"versionDescription", StatesVersionDescription},
    {"encryptionConfiguration", StatesEncryptionConfiguration},
};
constexpr Member kStatesCreateStateMachineOutput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
    {"stateMachineVersionArn", StatesArn},
};
constexpr Member kStatesDeleteActivityInput[] = {
    {"activityArn", StatesArn, kRequired},
};
constexpr Member kStatesDeleteStateMachineAliasInput[] = {
    {"stateMachineAliasArn", StatesArn, kRequired},
};
constexpr Member kStatesDeleteStateMachineInput[] = {
    {"stateMachineArn", StatesArn, kRequired},
};
constexpr Member kStatesDeleteStateMachineVersionInput[] = {
    {"stateMachineVersionArn", StatesLongArn, kRequired},
};
constexpr Member kStatesDescribeActivityInput[] = {
    {"activityArn", StatesArn, kRequired},
};
constexpr Member kStatesDescribeActivityOutput[] = {
    {"activityArn", StatesArn, kRequired},
    {"name", StatesName, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
    {"encryptionConfiguration", StatesEncryptionConfiguration},
};
constexpr Member kStatesDescribeExecutionInput[] = {
    {"executionArn", StatesArn, kRequired},
    {"includedData", StatesIncludedData},
};
constexpr Member kStatesDescribeExecutionOutput[] = {
    {"executionArn", StatesArn, kRequired},
    {"stateMachineArn", StatesArn, kRequired},
    {"name", StatesName},
    {"status", StatesExecutionStatus, kRequired},
    {"startDate", StatesTimestamp, kRequired},
    {"stopDate", StatesTimestamp},
    {"input", StatesSensitiveData},
    {"inputDetails", StatesCloudWatchEventsExecutionDataDetails},
    {"output", StatesSensitiveData},
    {"outputDetails", StatesCloudWatchEventsExecutionDataDetails},
    {"traceHeader", StatesTraceHeader},
    {"mapRunArn", StatesLongArn},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
    {"stateMachineVersionArn", StatesArn},
    {"stateMachineAliasArn", StatesArn},
    {"redriveCount", StatesRedriveCount},
    {"redriveDate", StatesTimestamp},
    {"redriveStatus", StatesExecutionRedriveStatus},
    {"redriveStatusReason", StatesSensitiveData},
};
constexpr Member kStatesDescribeMapRunInput[] = {
    {"mapRunArn", StatesLongArn, kRequired},
};
constexpr Member kStatesDescribeMapRunOutput[] = {
    {"mapRunArn", StatesLongArn, kRequired},
    {"executionArn", StatesArn, kRequired},
    {"status", StatesMapRunStatus, kRequired},
    {"startDate", StatesTimestamp, kRequired},
    {"stopDate", StatesTimestamp},
    {"maxConcurrency", StatesMaxConcurrency, kRequired},
    {"toleratedFailurePercentage", StatesToleratedFailurePercentage, kRequired},
    {"toleratedFailureCount", StatesToleratedFailureCount, kRequired},
    {"itemCounts", StatesMapRunItemCounts, kRequired},
    {"executionCounts", StatesMapRunExecutionCounts, kRequired},
    {"redriveCount", StatesRedriveCount},
    {"redriveDate", StatesTimestamp},
};
constexpr Member kStatesDescribeStateMachineAliasInput[] = {
    {"stateMachineAliasArn", StatesArn, kRequired},
};
constexpr Member kStatesDescribeStateMachineAliasOutput[] = {
    {"stateMachineAliasArn", StatesArn},
    {"name", StatesName},
    {"description", StatesAliasDescription},
    {"routingConfiguration", StatesRoutingConfigurationList},
    {"creationDate", StatesTimestamp},
    {"updateDate", StatesTimestamp},
};
constexpr Member kStatesDescribeStateMachineForExecutionInput[] = {
    {"executionArn", StatesArn, kRequired},
    {"includedData", StatesIncludedData},
};
constexpr Member kStatesDescribeStateMachineForExecutionOutput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"name", StatesName, kRequired},
    {"definition", StatesDefinition, kRequired},
    {"roleArn", StatesArn, kRequired},
    {"updateDate", StatesTimestamp, kRequired},
    {"loggingConfiguration", StatesLoggingConfiguration},
    {"tracingConfiguration", StatesTracingConfiguration},
    {"mapRunArn", StatesLongArn},
    {"label", StatesMapRunLabel},
    {"revisionId", StatesRevisionId},
    {"encryptionConfiguration", StatesEncryptionConfiguration},
    {"variableReferences", StatesVariableReferences},
};
constexpr Member kStatesDescribeStateMachineInput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"includedData", StatesIncludedData},
};
constexpr Member kStatesDescribeStateMachineOutput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"name", StatesName, kRequired},
    {"status", StatesStateMachineStatus},
    {"definition", StatesDefinition, kRequired},
    {"roleArn", StatesArn, kRequired},
    {"type", StatesStateMachineType, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
    {"loggingConfiguration", StatesLoggingConfiguration},
    {"tracingConfiguration", StatesTracingConfiguration},
    {"label", StatesMapRunLabel},
    {"revisionId", StatesRevisionId},
    {"description", StatesVersionDescription},
    {"encryptionConfiguration", StatesEncryptionConfiguration},
    {"variableReferences", StatesVariableReferences},
};
constexpr Member kStatesEncryptionConfiguration[] = {
    {"kmsKeyId", StatesKmsKeyId},
    {"kmsDataKeyReusePeriodSeconds", StatesKmsDataKeyReusePeriodSeconds},
    {"type", StatesEncryptionType, kRequired},
};
constexpr std::string_view kStatesEncryptionType[] = {"AWS_OWNED_KEY", "CUSTOMER_MANAGED_KMS_KEY"};
constexpr Member kStatesEvaluationFailedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
    {"location", StatesEvaluationFailureLocation},
    {"state", StatesStateName, kRequired},
};
constexpr Member kStatesExecutionAbortedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesExecutionFailedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesExecutionListItem[] = {
    {"executionArn", StatesArn, kRequired},
    {"stateMachineArn", StatesArn, kRequired},
    {"name", StatesName, kRequired},
    {"status", StatesExecutionStatus, kRequired},
    {"startDate", StatesTimestamp, kRequired},
    {"stopDate", StatesTimestamp},
    {"mapRunArn", StatesLongArn},
    {"itemCount", StatesUnsignedInteger},
    {"stateMachineVersionArn", StatesArn},
    {"stateMachineAliasArn", StatesArn},
    {"redriveCount", StatesRedriveCount},
    {"redriveDate", StatesTimestamp},
};
constexpr std::string_view kStatesExecutionRedriveFilter[] = {"REDRIVEN", "NOT_REDRIVEN"};
constexpr std::string_view kStatesExecutionRedriveStatus[] = {"REDRIVABLE", "NOT_REDRIVABLE", "REDRIVABLE_BY_MAP_RUN"};
constexpr Member kStatesExecutionRedrivenEventDetails[] = {
    {"redriveCount", StatesRedriveCount},
};
constexpr Member kStatesExecutionStartedEventDetails[] = {
    {"input", StatesSensitiveData},
    {"inputDetails", StatesHistoryEventExecutionDataDetails},
    {"roleArn", StatesArn},
    {"stateMachineAliasArn", StatesArn},
    {"stateMachineVersionArn", StatesArn},
};
constexpr std::string_view kStatesExecutionStatus[] = {"RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "PENDING_REDRIVE"};
constexpr Member kStatesExecutionSucceededEventDetails[] = {
    {"output", StatesSensitiveData},
    {"outputDetails", StatesHistoryEventExecutionDataDetails},
};
constexpr Member kStatesExecutionTimedOutEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesGetActivityTaskInput[] = {
    {"activityArn", StatesArn, kRequired},
    {"workerName", StatesName},
};
constexpr Member kStatesGetActivityTaskOutput[] = {
    {"taskToken", StatesTaskToken},
    {"input", StatesSensitiveDataJobInput},
};
constexpr Member kStatesGetExecutionHistoryInput[] = {
    {"executionArn", StatesArn, kRequired},
    {"maxResults", StatesPageSize},
    {"reverseOrder", StatesReverseOrder},
    {"nextToken", StatesPageToken},
    {"includeExecutionData", StatesIncludeExecutionDataGetExecutionHistory},
};
constexpr Member kStatesGetExecutionHistoryOutput[] = {
    {"events", StatesHistoryEventList, kRequired},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesHistoryEvent[] = {
    {"timestamp", StatesTimestamp, kRequired},
    {"type", StatesHistoryEventType, kRequired},
    {"id", StatesEventId, kRequired},
    {"previousEventId", StatesEventId},
    {"activityFailedEventDetails", StatesActivityFailedEventDetails},
    {"activityScheduleFailedEventDetails", StatesActivityScheduleFailedEventDetails},
    {"activityScheduledEventDetails", StatesActivityScheduledEventDetails},
    {"activityStartedEventDetails", StatesActivityStartedEventDetails},
    {"activitySucceededEventDetails", StatesActivitySucceededEventDetails},
    {"activityTimedOutEventDetails", StatesActivityTimedOutEventDetails},
    {"taskFailedEventDetails", StatesTaskFailedEventDetails},
    {"taskScheduledEventDetails", StatesTaskScheduledEventDetails},
    {"taskStartFailedEventDetails", StatesTaskStartFailedEventDetails},
    {"taskStartedEventDetails", StatesTaskStartedEventDetails},
    {"taskSubmitFailedEventDetails", StatesTaskSubmitFailedEventDetails},
    {"taskSubmittedEventDetails", StatesTaskSubmittedEventDetails},
    {"taskSucceededEventDetails", StatesTaskSucceededEventDetails},
    {"taskTimedOutEventDetails", StatesTaskTimedOutEventDetails},
    {"executionFailedEventDetails", StatesExecutionFailedEventDetails},
    {"executionStartedEventDetails", StatesExecutionStartedEventDetails},
    {"executionSucceededEventDetails", StatesExecutionSucceededEventDetails},
    {"executionAbortedEventDetails", StatesExecutionAbortedEventDetails},
    {"executionTimedOutEventDetails", StatesExecutionTimedOutEventDetails},
    {"executionRedrivenEventDetails", StatesExecutionRedrivenEventDetails},
    {"mapStateStartedEventDetails", StatesMapStateStartedEventDetails},
    {"mapIterationStartedEventDetails", StatesMapIterationEventDetails},
    {"mapIterationSucceededEventDetails", StatesMapIterationEventDetails},
    {"mapIterationFailedEventDetails", StatesMapIterationEventDetails},
    {"mapIterationAbortedEventDetails", StatesMapIterationEventDetails},
    {"lambdaFunctionFailedEventDetails", StatesLambdaFunctionFailedEventDetails},
    {"lambdaFunctionScheduleFailedEventDetails", StatesLambdaFunctionScheduleFailedEventDetails},
    {"lambdaFunctionScheduledEventDetails", StatesLambdaFunctionScheduledEventDetails},
    {"lambdaFunctionStartFailedEventDetails", StatesLambdaFunctionStartFailedEventDetails},
    {"lambdaFunctionSucceededEventDetails", StatesLambdaFunctionSucceededEventDetails},
    {"lambdaFunctionTimedOutEventDetails", StatesLambdaFunctionTimedOutEventDetails},
    {"stateEnteredEventDetails", StatesStateEnteredEventDetails},
    {"stateExitedEventDetails", StatesStateExitedEventDetails},
    {"mapRunStartedEventDetails", StatesMapRunStartedEventDetails},
    {"mapRunFailedEventDetails", StatesMapRunFailedEventDetails},
    {"mapRunRedrivenEventDetails", StatesMapRunRedrivenEventDetails},
    {"evaluationFailedEventDetails", StatesEvaluationFailedEventDetails},
};
constexpr Member kStatesHistoryEventExecutionDataDetails[] = {
    {"truncated", StatesTruncated},
};
constexpr std::string_view kStatesHistoryEventType[] = {"ActivityFailed", "ActivityScheduled", "ActivityScheduleFailed", "ActivityStarted", "ActivitySucceeded", "ActivityTimedOut", "ChoiceStateEntered", "ChoiceStateExited", "ExecutionAborted", "ExecutionFailed", "ExecutionStarted", "ExecutionSucceeded", "ExecutionTimedOut", "FailStateEntered", "LambdaFunctionFailed", "LambdaFunctionScheduled", "LambdaFunctionScheduleFailed", "LambdaFunctionStarted", "LambdaFunctionStartFailed", "LambdaFunctionSucceeded", "LambdaFunctionTimedOut", "MapIterationAborted", "MapIterationFailed", "MapIterationStarted", "MapIterationSucceeded", "MapStateAborted", "MapStateEntered", "MapStateExited", "MapStateFailed", "MapStateStarted", "MapStateSucceeded", "ParallelStateAborted", "ParallelStateEntered", "ParallelStateExited", "ParallelStateFailed", "ParallelStateStarted", "ParallelStateSucceeded", "PassStateEntered", "PassStateExited", "SucceedStateEntered", "SucceedStateExited", "TaskFailed", "TaskScheduled", "TaskStarted", "TaskStartFailed", "TaskStateAborted", "TaskStateEntered", "TaskStateExited", "TaskSubmitFailed", "TaskSubmitted", "TaskSucceeded", "TaskTimedOut", "WaitStateAborted", "WaitStateEntered", "WaitStateExited", "MapRunAborted", "MapRunFailed", "MapRunStarted", "MapRunSucceeded", "ExecutionRedriven", "MapRunRedriven", "EvaluationFailed"};
constexpr std::string_view kStatesIncludedData[] = {"ALL_DATA", "METADATA_ONLY"};
constexpr Member kStatesInspectionData[] = {
    {"input", StatesSensitiveData},
    {"afterArguments", StatesSensitiveData},
    {"afterInputPath", StatesSensitiveData},
    {"afterParameters", StatesSensitiveData},
    {"result", StatesSensitiveData},
    {"afterResultSelector", StatesSensitiveData},
    {"afterResultPath", StatesSensitiveData},
    {"request", StatesInspectionDataRequest},
    {"response", StatesInspectionDataResponse},
    {"variables", StatesSensitiveData},
    {"errorDetails", StatesInspectionErrorDetails},
    {"afterItemsPath", StatesSensitiveData},
    {"afterItemSelector", StatesSensitiveData},
    {"afterItemBatcher", StatesSensitiveData},
    {"afterItemsPointer", StatesSensitiveData},
    {"toleratedFailureCount", StatesInspectionToleratedFailureCount},
    {"toleratedFailurePercentage", StatesInspectionToleratedFailurePercentage},
    {"maxConcurrency", StatesInspectionMaxConcurrency},
};
constexpr Member kStatesInspectionDataRequest[] = {
    {"protocol", StatesHTTPProtocol},
    {"method", StatesHTTPMethod},
    {"url", StatesURL},
    {"headers", StatesHTTPHeaders},
    {"body", StatesHTTPBody},
};
constexpr Member kStatesInspectionDataResponse[] = {
    {"protocol", StatesHTTPProtocol},
    {"statusCode", StatesHTTPStatusCode},
    {"statusMessage", StatesHTTPStatusMessage},
    {"headers", StatesHTTPHeaders},
    {"body", StatesHTTPBody},
};
constexpr Member kStatesInspectionErrorDetails[] = {
    {"catchIndex", StatesExceptionHandlerIndex},
    {"retryIndex", StatesExceptionHandlerIndex},
    {"retryBackoffIntervalSeconds", StatesRetryBackoffIntervalSeconds},
};
constexpr std::string_view kStatesInspectionLevel[] = {"INFO", "DEBUG", "TRACE"};
constexpr Member kStatesLambdaFunctionFailedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesLambdaFunctionScheduleFailedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesLambdaFunctionScheduledEventDetails[] = {
    {"resource", StatesArn, kRequired},
    {"input", StatesSensitiveData},
    {"inputDetails", StatesHistoryEventExecutionDataDetails},
    {"timeoutInSeconds", StatesTimeoutInSeconds},
    {"taskCredentials", StatesTaskCredentials},
};
constexpr Member kStatesLambdaFunctionStartFailedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesLambdaFunctionSucceededEventDetails[] = {
    {"output", StatesSensitiveData},
    {"outputDetails", StatesHistoryEventExecutionDataDetails},
};
constexpr Member kStatesLambdaFunctionTimedOutEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesListActivitiesInput[] = {
    {"maxResults", StatesPageSize},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesListActivitiesOutput[] = {
    {"activities", StatesActivityList, kRequired},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesListExecutionsInput[] = {
    {"stateMachineArn", StatesArn},
    {"statusFilter", StatesExecutionStatus},
    {"maxResults", StatesPageSize},
    {"nextToken", StatesListExecutionsPageToken},
    {"mapRunArn", StatesLongArn},
    {"redriveFilter", StatesExecutionRedriveFilter},
};
constexpr Member kStatesListExecutionsOutput[] = {
    {"executions", StatesExecutionList, kRequired},
    {"nextToken", StatesListExecutionsPageToken},
};
constexpr Member kStatesListMapRunsInput[] = {
    {"executionArn", StatesArn, kRequired},
    {"maxResults", StatesPageSize},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesListMapRunsOutput[] = {
    {"mapRuns", StatesMapRunList, kRequired},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesListStateMachineAliasesInput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"nextToken", StatesPageToken},
    {"maxResults", StatesPageSize},
};
constexpr Member kStatesListStateMachineAliasesOutput[] = {
    {"stateMachineAliases", StatesStateMachineAliasList, kRequired},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesListStateMachineVersionsInput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"nextToken", StatesPageToken},
    {"maxResults", StatesPageSize},
};
constexpr Member kStatesListStateMachineVersionsOutput[] = {
    {"stateMachineVersions", StatesStateMachineVersionList, kRequired},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesListStateMachinesInput[] = {
    {"maxResults", StatesPageSize},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesListStateMachinesOutput[] = {
    {"stateMachines", StatesStateMachineList, kRequired},
    {"nextToken", StatesPageToken},
};
constexpr Member kStatesListTagsForResourceInput[] = {
    {"resourceArn", StatesArn, kRequired},
};
constexpr Member kStatesListTagsForResourceOutput[] = {
    {"tags", StatesTagList},
};
constexpr Member kStatesLogDestination[] = {
    {"cloudWatchLogsLogGroup", StatesCloudWatchLogsLogGroup},
};
constexpr std::string_view kStatesLogLevel[] = {"ALL", "ERROR", "FATAL", "OFF"};
constexpr Member kStatesLoggingConfiguration[] = {
    {"level", StatesLogLevel},
    {"includeExecutionData", StatesIncludeExecutionData},
    {"destinations", StatesLogDestinationList},
};
constexpr Member kStatesMapIterationEventDetails[] = {
    {"name", StatesName},
    {"index", StatesUnsignedInteger},
};
constexpr Member kStatesMapRunExecutionCounts[] = {
    {"pending", StatesUnsignedLong, kRequired},
    {"running", StatesUnsignedLong, kRequired},
    {"succeeded", StatesUnsignedLong, kRequired},
    {"failed", StatesUnsignedLong, kRequired},
    {"timedOut", StatesUnsignedLong, kRequired},
    {"aborted", StatesUnsignedLong, kRequired},
    {"total", StatesUnsignedLong, kRequired},
    {"resultsWritten", StatesUnsignedLong, kRequired},
    {"failuresNotRedrivable", StatesLongObject},
    {"pendingRedrive", StatesLongObject},
};
constexpr Member kStatesMapRunFailedEventDetails[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesMapRunItemCounts[] = {
    {"pending", StatesUnsignedLong, kRequired},
    {"running", StatesUnsignedLong, kRequired},
    {"succeeded", StatesUnsignedLong, kRequired},
    {"failed", StatesUnsignedLong, kRequired},
    {"timedOut", StatesUnsignedLong, kRequired},
    {"aborted", StatesUnsignedLong, kRequired},
    {"total", StatesUnsignedLong, kRequired},
    {"resultsWritten", StatesUnsignedLong, kRequired},
    {"failuresNotRedrivable", StatesLongObject},
    {"pendingRedrive", StatesLongObject},
};
constexpr Member kStatesMapRunListItem[] = {
    {"executionArn", StatesArn, kRequired},
    {"mapRunArn", StatesLongArn, kRequired},
    {"stateMachineArn", StatesArn, kRequired},
    {"startDate", StatesTimestamp, kRequired},
    {"stopDate", StatesTimestamp},
};
constexpr Member kStatesMapRunRedrivenEventDetails[] = {
    {"mapRunArn", StatesLongArn},
    {"redriveCount", StatesRedriveCount},
};
constexpr Member kStatesMapRunStartedEventDetails[] = {
    {"mapRunArn", StatesLongArn},
};
constexpr std::string_view kStatesMapRunStatus[] = {"RUNNING", "SUCCEEDED", "FAILED", "ABORTED"};
constexpr Member kStatesMapStateStartedEventDetails[] = {
    {"length", StatesUnsignedInteger},
};
constexpr Member kStatesMockErrorOutput[] = {
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesMockInput[] = {
    {"result", StatesSensitiveData},
    {"errorOutput", StatesMockErrorOutput},
    {"fieldValidationMode", StatesMockResponseValidationMode},
};
constexpr std::string_view kStatesMockResponseValidationMode[] = {"STRICT", "PRESENT", "NONE"};
constexpr Member kStatesPublishStateMachineVersionInput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"revisionId", StatesRevisionId},
    {"description", StatesVersionDescription},
};
constexpr Member kStatesPublishStateMachineVersionOutput[] = {
    {"creationDate", StatesTimestamp, kRequired},
    {"stateMachineVersionArn", StatesArn, kRequired},
};
constexpr Member kStatesRedriveExecutionInput[] = {
    {"executionArn", StatesArn, kRequired},
    {"clientToken", StatesClientToken},
};
constexpr Member kStatesRedriveExecutionOutput[] = {
    {"redriveDate", StatesTimestamp, kRequired},
};
constexpr Member kStatesRoutingConfigurationListItem[] = {
    {"stateMachineVersionArn", StatesArn, kRequired},
    {"weight", StatesVersionWeight, kRequired},
};
constexpr Member kStatesSendTaskFailureInput[] = {
    {"taskToken", StatesTaskToken, kRequired},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesSendTaskHeartbeatInput[] = {
    {"taskToken", StatesTaskToken, kRequired},
};
constexpr Member kStatesSendTaskSuccessInput[] = {
    {"taskToken", StatesTaskToken, kRequired},
    {"output", StatesSensitiveData, kRequired},
};
constexpr Member kStatesStartExecutionInput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"name", StatesName},
    {"input", StatesSensitiveData},
    {"traceHeader", StatesTraceHeader},
};
constexpr Member kStatesStartExecutionOutput[] = {
    {"executionArn", StatesArn, kRequired},
    {"startDate", StatesTimestamp, kRequired},
};
constexpr Member kStatesStartSyncExecutionInput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"name", StatesName},
    {"input", StatesSensitiveData},
    {"traceHeader", StatesTraceHeader},
    {"includedData", StatesIncludedData},
};
constexpr Member kStatesStartSyncExecutionOutput[] = {
    {"executionArn", StatesArn, kRequired},
    {"stateMachineArn", StatesArn},
    {"name", StatesName},
    {"startDate", StatesTimestamp, kRequired},
    {"stopDate", StatesTimestamp, kRequired},
    {"status", StatesSyncExecutionStatus, kRequired},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
    {"input", StatesSensitiveData},
    {"inputDetails", StatesCloudWatchEventsExecutionDataDetails},
    {"output", StatesSensitiveData},
    {"outputDetails", StatesCloudWatchEventsExecutionDataDetails},
    {"traceHeader", StatesTraceHeader},
    {"billingDetails", StatesBillingDetails},
};
constexpr Member kStatesStateEnteredEventDetails[] = {
    {"name", StatesName, kRequired},
    {"input", StatesSensitiveData},
    {"inputDetails", StatesHistoryEventExecutionDataDetails},
};
constexpr Member kStatesStateExitedEventDetails[] = {
    {"name", StatesName, kRequired},
    {"output", StatesSensitiveData},
    {"outputDetails", StatesHistoryEventExecutionDataDetails},
    {"assignedVariables", StatesAssignedVariables},
    {"assignedVariablesDetails", StatesAssignedVariablesDetails},
};
constexpr Member kStatesStateMachineAliasListItem[] = {
    {"stateMachineAliasArn", StatesLongArn, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
};
constexpr Member kStatesStateMachineListItem[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"name", StatesName, kRequired},
    {"type", StatesStateMachineType, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
};
constexpr std::string_view kStatesStateMachineStatus[] = {"ACTIVE", "DELETING"};
constexpr std::string_view kStatesStateMachineType[] = {"STANDARD", "EXPRESS"};
constexpr Member kStatesStateMachineVersionListItem[] = {
    {"stateMachineVersionArn", StatesLongArn, kRequired},
    {"creationDate", StatesTimestamp, kRequired},
};
constexpr Member kStatesStopExecutionInput[] = {
    {"executionArn", StatesArn, kRequired},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesStopExecutionOutput[] = {
    {"stopDate", StatesTimestamp, kRequired},
};
constexpr std::string_view kStatesSyncExecutionStatus[] = {"SUCCEEDED", "FAILED", "TIMED_OUT"};
constexpr Member kStatesTag[] = {
    {"key", StatesTagKey},
    {"value", StatesTagValue},
};
constexpr Member kStatesTagResourceInput[] = {
    {"resourceArn", StatesArn, kRequired},
    {"tags", StatesTagList, kRequired},
};
constexpr Member kStatesTaskCredentials[] = {
    {"roleArn", StatesLongArn},
};
constexpr Member kStatesTaskFailedEventDetails[] = {
    {"resourceType", StatesName, kRequired},
    {"resource", StatesName, kRequired},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesTaskScheduledEventDetails[] = {
    {"resourceType", StatesName, kRequired},
    {"resource", StatesName, kRequired},
    {"region", StatesName, kRequired},
    {"parameters", StatesConnectorParameters, kRequired},
    {"timeoutInSeconds", StatesTimeoutInSeconds},
    {"heartbeatInSeconds", StatesTimeoutInSeconds},
    {"taskCredentials", StatesTaskCredentials},
};
constexpr Member kStatesTaskStartFailedEventDetails[] = {
    {"resourceType", StatesName, kRequired},
    {"resource", StatesName, kRequired},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesTaskStartedEventDetails[] = {
    {"resourceType", StatesName, kRequired},
    {"resource", StatesName, kRequired},
};
constexpr Member kStatesTaskSubmitFailedEventDetails[] = {
    {"resourceType", StatesName, kRequired},
    {"resource", StatesName, kRequired},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr Member kStatesTaskSubmittedEventDetails[] = {
    {"resourceType", StatesName, kRequired},
    {"resource", StatesName, kRequired},
    {"output", StatesSensitiveData},
    {"outputDetails", StatesHistoryEventExecutionDataDetails},
};
constexpr Member kStatesTaskSucceededEventDetails[] = {
    {"resourceType", StatesName, kRequired},
    {"resource", StatesName, kRequired},
    {"output", StatesSensitiveData},
    {"outputDetails", StatesHistoryEventExecutionDataDetails},
};
constexpr Member kStatesTaskTimedOutEventDetails[] = {
    {"resourceType", StatesName, kRequired},
    {"resource", StatesName, kRequired},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
};
constexpr std::string_view kStatesTestExecutionStatus[] = {"SUCCEEDED", "FAILED", "RETRIABLE", "CAUGHT_ERROR"};
constexpr Member kStatesTestStateConfiguration[] = {
    {"retrierRetryCount", StatesRetrierRetryCount},
    {"errorCausedByState", StatesTestStateStateName},
    {"mapIterationFailureCount", StatesMapIterationFailureCount},
    {"mapItemReaderData", StatesSensitiveData},
};
constexpr Member kStatesTestStateInput[] = {
    {"definition", StatesDefinition, kRequired},
    {"roleArn", StatesArn},
    {"input", StatesSensitiveData},
    {"inspectionLevel", StatesInspectionLevel},
    {"revealSecrets", StatesRevealSecrets},
    {"variables", StatesSensitiveData},
    {"stateName", StatesTestStateStateName},
    {"mock", StatesMockInput},
    {"context", StatesSensitiveData},
    {"stateConfiguration", StatesTestStateConfiguration},
};
constexpr Member kStatesTestStateOutput[] = {
    {"output", StatesSensitiveData},
    {"error", StatesSensitiveError},
    {"cause", StatesSensitiveCause},
    {"inspectionData", StatesInspectionData},
    {"nextState", StatesStateName},
    {"status", StatesTestExecutionStatus},
};
constexpr Member kStatesTracingConfiguration[] = {
    {"enabled", StatesEnabled},
};
constexpr Member kStatesUntagResourceInput[] = {
    {"resourceArn", StatesArn, kRequired},
    {"tagKeys", StatesTagKeyList, kRequired},
};
constexpr Member kStatesUpdateMapRunInput[] = {
    {"mapRunArn", StatesLongArn, kRequired},
    {"maxConcurrency", StatesMaxConcurrency},
    {"toleratedFailurePercentage", StatesToleratedFailurePercentage},
    {"toleratedFailureCount", StatesToleratedFailureCount},
};
constexpr Member kStatesUpdateStateMachineAliasInput[] = {
    {"stateMachineAliasArn", StatesArn, kRequired},
    {"description", StatesAliasDescription},
    {"routingConfiguration", StatesRoutingConfigurationList},
};
constexpr Member kStatesUpdateStateMachineAliasOutput[] = {
    {"updateDate", StatesTimestamp, kRequired},
};
constexpr Member kStatesUpdateStateMachineInput[] = {
    {"stateMachineArn", StatesArn, kRequired},
    {"definition", StatesDefinition},
    {"roleArn", StatesArn},
    {"loggingConfiguration", StatesLoggingConfiguration},
    {"tracingConfiguration", StatesTracingConfiguration},
    {"publish", StatesPublish},
    {"versionDescription", StatesVersionDescription},
    {"encryptionConfiguration", StatesEncryptionConfiguration},
};
constexpr Member kStatesUpdateStateMachineOutput[] = {
    {"updateDate", StatesTimestamp, kRequired},
    {"revisionId", StatesRevisionId},
    {"stateMachineVersionArn", StatesArn},
};
constexpr Member kStatesValidateStateMachineDefinitionDiagnostic[] = {
    {"severity", StatesValidateStateMachineDefinitionSeverity, kRequired},
    {"code", StatesValidateStateMachineDefinitionCode, kRequired},
    {"message", StatesValidateStateMachineDefinitionMessage, kRequired},
    {"location", StatesValidateStateMachineDefinitionLocation},
};
constexpr Member kStatesValidateStateMachineDefinitionInput[] = {
    {"definition", StatesDefinition, kRequired},
    {"type", StatesStateMachineType},
    {"severity", StatesValidateStateMachineDefinitionSeverity},
    {"maxResults", StatesValidateStateMachineDefinitionMaxResult},
};
constexpr Member kStatesValidateStateMachineDefinitionOutput[] = {
    {"result", StatesValidateStateMachineDefinitionResultCode, kRequired},
    {"diagnostics", StatesValidateStateMachineDefinitionDiagnosticList, kRequired},
    {"truncated", StatesValidateStateMachineDefinitionTruncated},
};
constexpr std::string_view kStatesValidateStateMachineDefinitionResultCode[] = {"OK", "FAIL"};
constexpr std::string_view kStatesValidateStateMachineDefinitionSeverity[] = {"ERROR", "WARNING"};
// ---- Stoker ----
constexpr Member kStokerExplainRequest[] = {
    {"jobId", StokerJobId, kRequired},
};
constexpr Member kStokerExplainResponse[] = {
    {"jobId", StokerString, kRequired},
    {"jobName", StokerString, kRequired},
    {"jobQueue", StokerString, kRequired},
    {"status", StokerJobStatus, kRequired},
    {"since", StokerLong},
    {"reasons", StokerReasons, kRequired},
    {"requirements", StokerResources, kRequired},
    {"asks", StokerString},
    {"dependencies", StokerDependencies},
    {"position", StokerInteger},
    {"ahead", StokerJobIds},
    {"nodes", StokerNodeFits},
    {"attempt", StokerAttemptSummary},
    {"startedBy", StokerStartedBy},
    {"cost", StokerJobCost},
};
constexpr Member kStokerListCostsRequest[] = {
    {"groupBy", StokerCostKeys},
    {"from", StokerLong},
    {"to", StokerLong},
    {"focus", StokerBoolean},
};
constexpr std::string_view kStokerCostKey[] = {"DAY", "ENVIRONMENT", "QUEUE", "SHARE"};
constexpr Member kStokerListCostsResponse[] = {
    {"costs", StokerCostLines, kRequired},
    {"total", StokerCostLine, kRequired},
    {"focus", StokerString},
};
constexpr Member kStokerCostLine[] = {
    {"day", StokerString},
    {"environment", StokerString},
    {"queue", StokerString},
    {"share", StokerString},
    {"total", StokerString, kRequired},
    {"work", StokerString, kRequired},
    {"warmUp", StokerString, kRequired},
    {"idle", StokerString, kRequired},
    {"waste", StokerString, kRequired},
    {"credit", StokerString, kRequired},
    {"provisional", StokerBoolean, kRequired},
};
constexpr Member kStokerJobCost[] = {
    {"total", StokerString, kRequired},
    {"work", StokerString, kRequired},
    {"warmUp", StokerString, kRequired},
    {"idle", StokerString},
    {"waste", StokerString, kRequired},
    {"credit", StokerString, kRequired},
    {"provisional", StokerBoolean, kRequired},
};
constexpr Member kStokerReason[] = {
    {"kind", StokerReasonKind, kRequired},
    {"text", StokerString, kRequired},
    {"since", StokerLong},
    {"jobId", StokerString},
};
constexpr std::string_view kStokerReasonKind[] = {"DEPENDENCIES", "CHILDREN", "RESOURCES", "CONSUMABLES", "ORDER", "CAP", "RESERVATION", "NEVER_FITS", "NO_NODES", "DISABLED", "LAUNCHING", "NO_CAPACITY", "LIMIT", "BUDGET", "MARKET", "PATIENCE", "INVALID", "QUOTA", "QUOTA_SHARE", "PREEMPTION", "PREEMPTED", "MOVING", "DEADLINE", "NOT_TRIED_YET", "STARTING", "RUNNING", "RETRY", "ENDED"};
constexpr Member kStokerDependencyState[] = {
    {"jobId", StokerString},
    {"type", StokerString},
    {"status", StokerString, kRequired},
};
constexpr Member kStokerNodeFit[] = {
    {"node", StokerString, kRequired},
    {"environment", StokerString, kRequired},
    {"connected", StokerBoolean},
    {"fits", StokerBoolean, kRequired},
    {"keptFor", StokerString},
    {"lacksNow", StokerStrings},
    {"lacksEver", StokerStrings},
    {"free", StokerResources},
    {"freeMigDevices", StokerCounts},
    {"idleMigGpus", StokerInteger},
};
constexpr Member kStokerAttemptSummary[] = {
    {"number", StokerInteger},
    {"of", StokerInteger},
    {"node", StokerString},
    {"gpus", StokerStrings},
    {"placedAt", StokerLong},
    {"startedAt", StokerLong},
    {"stoppedAt", StokerLong},
    {"exitCode", StokerInteger},
    {"reason", StokerString},
    {"logGroup", StokerString},
    {"logStream", StokerString},
};
constexpr Member kStokerResources[] = {
    {"vcpus", StokerDouble, kRequired},
    {"memoryMib", StokerLong, kRequired},
    {"gpus", StokerLong, kRequired},
    {"gpuMilli", StokerLong},
};
constexpr Member kStokerListAllExecutionsRequest[] = {
    {"status", StokerExecutionStatus},
    {"maxResults", StokerInteger},
    {"nextToken", StokerString},
};
constexpr std::string_view kStokerExecutionStatus[] = {"RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "PENDING_REDRIVE"};
constexpr Member kStokerListAllExecutionsResponse[] = {
    {"executions", StokerExecutionLines, kRequired},
    {"nextToken", StokerString},
};
constexpr Member kStokerExecutionLine[] = {
    {"executionArn", StokerString, kRequired},
    {"stateMachineArn", StokerString, kRequired},
    {"name", StokerString, kRequired},
    {"status", StokerExecutionStatus, kRequired},
    {"startDate", StokerDouble, kRequired},
    {"stopDate", StokerDouble},
    {"stateMachineVersionArn", StokerString},
    {"stateMachineAliasArn", StokerString},
    {"redriveCount", StokerInteger},
    {"redriveDate", StokerDouble},
};
constexpr Member kStokerListAllJobsRequest[] = {
    {"statuses", StokerJobStatuses},
    {"costs", StokerBoolean},
    {"jobQueue", StokerString},
    {"arrayJobId", StokerJobId},
    {"multiNodeJobId", StokerJobId},
    {"oldestFirst", StokerBoolean},
    {"maxResults", StokerInteger},
    {"nextToken", StokerString},
};
constexpr Member kStokerListAllJobsResponse[] = {
    {"jobs", StokerJobLines, kRequired},
    {"nextToken", StokerString},
};
constexpr Member kStokerJobLine[] = {
    {"jobId", StokerString, kRequired},
    {"jobName", StokerString, kRequired},
    {"jobQueue", StokerString, kRequired},
    {"jobDefinition", StokerString},
    {"status", StokerJobStatus, kRequired},
    {"statusReason", StokerString},
    {"createdAt", StokerLong, kRequired},
    {"runnableAt", StokerLong},
    {"startedAt", StokerLong},
    {"stoppedAt", StokerLong},
    {"attemptStoppedAt", StokerLong},
    {"attempts", StokerInteger},
    {"exitCode", StokerInteger},
    {"reason", StokerString},
    {"node", StokerString},
    {"gpus", StokerStrings},
    {"requirements", StokerResources, kRequired},
    {"gpuRequest", StokerString},
    {"arraySize", StokerInteger},
    {"arrayIndex", StokerInteger},
    {"arrayStatuses", StokerCounts},
    {"numNodes", StokerInteger},
    {"nodeIndex", StokerInteger},
    {"startedBy", StokerStartedBy},
    {"cost", StokerJobCost},
};
constexpr Member kStokerStartedBy[] = {
    {"executionArn", StokerString, kRequired},
    {"state", StokerString, kRequired},
};
constexpr Member kStokerListNodesRequest[] = {
    {"maxResults", StokerInteger},
    {"nextToken", StokerString},
};
constexpr Member kStokerListNodesResponse[] = {
    {"nodes", StokerNodeLines, kRequired},
    {"nextToken", StokerString},
};
constexpr Member kStokerNodeLine[] = {
    {"node", StokerString, kRequired},
    {"environment", StokerString, kRequired},
    {"connected", StokerBoolean, kRequired},
    {"containers", StokerBoolean},
    {"images", StokerStrings},
    {"warnings", StokerStrings},
    {"total", StokerResources, kRequired},
    {"used", StokerResources, kRequired},
    {"gpus", StokerGpuLines, kRequired},
    {"jobs", StokerHeldJobs},
    {"jobCount", StokerInteger},
};
constexpr Member kStokerListQueuesRequest[] = {
    {"maxResults", StokerInteger},
    {"nextToken", StokerString},
};
constexpr Member kStokerListQueuesResponse[] = {
    {"queues", StokerQueueLines, kRequired},
    {"nextToken", StokerString},
};
constexpr Member kStokerQueueLine[] = {
    {"jobQueue", StokerString, kRequired},
    {"state", StokerString, kRequired},
    {"priority", StokerInteger, kRequired},
    {"environments", StokerStrings},
    {"counts", StokerCounts, kRequired},
    {"used", StokerResources},
};
constexpr Member kStokerGpuLine[] = {
    {"uuid", StokerString, kRequired},
    {"model", StokerString},
    {"memoryMib", StokerLong},
    {"jobId", StokerString},
    {"jobName", StokerString},
    {"sharedMilli", StokerLong},
    {"sharers", StokerGpuSharers},
    {"migDevices", StokerMigDeviceLines},
};
constexpr Member kStokerGpuSharer[] = {
    {"jobId", StokerString, kRequired},
    {"jobName", StokerString, kRequired},
    {"milli", StokerLong, kRequired},
};
constexpr Member kStokerMigDeviceLine[] = {
    {"name", StokerString, kRequired},
    {"profile", StokerString, kRequired},
    {"jobId", StokerString},
    {"jobName", StokerString},
};
constexpr Member kStokerHeldJob[] = {
    {"jobId", StokerString, kRequired},
    {"jobName", StokerString, kRequired},
    {"status", StokerJobStatus, kRequired},
    {"startedAt", StokerLong},
};
constexpr Member kStokerUpdateJobRequest[] = {
    {"jobId", StokerJobId, kRequired},
    {"schedulingPriority", StokerSchedulingPriority},
    {"shareIdentifier", StokerString},
    {"jobQueue", StokerString},
};
constexpr Member kStokerUpdateJobResponse[] = {
    {"jobId", StokerString, kRequired},
    {"jobQueue", StokerString, kRequired},
    {"shareIdentifier", StokerString},
    {"schedulingPriority", StokerInteger},
};
constexpr std::string_view kStokerJobStatus[] = {"SUBMITTED", "PENDING", "RUNNABLE", "STARTING", "RUNNING", "SUCCEEDED", "FAILED"};

constexpr Shape kShapes[] = {
    one_of("ArrayJobDependency", kBatchArrayJobDependency),
    map("ArrayJobStatusSummary", BatchString, BatchInteger),
    structure("ArrayProperties", kBatchArrayProperties),
    structure("ArrayPropertiesDetail", kBatchArrayPropertiesDetail),
    structure("ArrayPropertiesSummary", kBatchArrayPropertiesSummary),
    one_of("AssignPublicIp", kBatchAssignPublicIp),
    structure("AttemptContainerDetail", kBatchAttemptContainerDetail),
    structure("AttemptDetail", kBatchAttemptDetail),
    list("AttemptDetails", BatchAttemptDetail),
    structure("AttemptEcsTaskDetails", kBatchAttemptEcsTaskDetails),
    structure("AttemptTaskContainerDetails", kBatchAttemptTaskContainerDetails),
    scalar("Boolean", Type::Boolean),
    one_of("CEState", kBatchCEState),
    one_of("CEStatus", kBatchCEStatus),
    one_of("CEType", kBatchCEType),
    one_of("CRAllocationStrategy", kBatchCRAllocationStrategy),
    one_of("CRType", kBatchCRType),
    one_of("CRUpdateAllocationStrategy", kBatchCRUpdateAllocationStrategy),
    structure("CancelJobRequest", kBatchCancelJobRequest),
    structure("CancelJobResponse"),
    structure("CapacityLimit", kBatchCapacityLimit),
    list("CapacityLimits", BatchCapacityLimit),
    string("ClientRequestToken", 1, 64),
    structure("ComputeEnvironmentDetail", kBatchComputeEnvironmentDetail),
    list("ComputeEnvironmentDetailList", BatchComputeEnvironmentDetail),
    structure("ComputeEnvironmentOrder", kBatchComputeEnvironmentOrder),
    list("ComputeEnvironmentOrders", BatchComputeEnvironmentOrder),
    structure("ComputeResource", kBatchComputeResource),
    structure("ComputeResourceUpdate", kBatchComputeResourceUpdate),
    structure("ComputeScalingPolicy", kBatchComputeScalingPolicy),
    list("ConsumableResourceList", BatchConsumableResourceRequirement),
    structure("ConsumableResourceProperties", kBatchConsumableResourceProperties),
    structure("ConsumableResourceRequirement", kBatchConsumableResourceRequirement),
    structure("ConsumableResourceSummary", kBatchConsumableResourceSummary),
    list("ConsumableResourceSummaryList", BatchConsumableResourceSummary),
    structure("ContainerDetail", kBatchContainerDetail),
    structure("ContainerOverrides", kBatchContainerOverrides),
    structure("ContainerProperties", kBatchContainerProperties),
    structure("ContainerSummary", kBatchContainerSummary),
    structure("CreateComputeEnvironmentRequest", kBatchCreateComputeEnvironmentRequest),
    structure("CreateComputeEnvironmentResponse", kBatchCreateComputeEnvironmentResponse),
    structure("CreateConsumableResourceRequest", kBatchCreateConsumableResourceRequest),
    structure("CreateConsumableResourceResponse", kBatchCreateConsumableResourceResponse),
    structure("CreateJobQueueRequest", kBatchCreateJobQueueRequest),
    structure("CreateJobQueueResponse", kBatchCreateJobQueueResponse),
    structure("CreateQuotaShareRequest", kBatchCreateQuotaShareRequest),
    structure("CreateQuotaShareResponse", kBatchCreateQuotaShareResponse),
    structure("CreateSchedulingPolicyRequest", kBatchCreateSchedulingPolicyRequest),
    structure("CreateSchedulingPolicyResponse", kBatchCreateSchedulingPolicyResponse),
    structure("CreateServiceEnvironmentRequest", kBatchCreateServiceEnvironmentRequest),
    structure("CreateServiceEnvironmentResponse", kBatchCreateServiceEnvironmentResponse),
    structure("DeleteComputeEnvironmentRequest", kBatchDeleteComputeEnvironmentRequest),
    structure("DeleteComputeEnvironmentResponse"),
    structure("DeleteConsumableResourceRequest", kBatchDeleteConsumableResourceRequest),
    structure("DeleteConsumableResourceResponse"),
    structure("DeleteJobQueueRequest", kBatchDeleteJobQueueRequest),
    structure("DeleteJobQueueResponse"),
    structure("DeleteQuotaShareRequest", kBatchDeleteQuotaShareRequest),
    structure("DeleteQuotaShareResponse"),
    structure("DeleteSchedulingPolicyRequest", kBatchDeleteSchedulingPolicyRequest),
    structure("DeleteSchedulingPolicyResponse"),
    structure("DeleteServiceEnvironmentRequest", kBatchDeleteServiceEnvironmentRequest),
    structure("DeleteServiceEnvironmentResponse"),
    structure("DeregisterJobDefinitionRequest", kBatchDeregisterJobDefinitionRequest),
    structure("DeregisterJobDefinitionResponse"),
    structure("DescribeComputeEnvironmentsRequest", kBatchDescribeComputeEnvironmentsRequest),
    structure("DescribeComputeEnvironmentsResponse", kBatchDescribeComputeEnvironmentsResponse),
    structure("DescribeConsumableResourceRequest", kBatchDescribeConsumableResourceRequest),
    structure("DescribeConsumableResourceResponse", kBatchDescribeConsumableResourceResponse),
    structure("DescribeJobDefinitionsRequest", kBatchDescribeJobDefinitionsRequest),
    structure("DescribeJobDefinitionsResponse", kBatchDescribeJobDefinitionsResponse),
    structure("DescribeJobQueuesRequest", kBatchDescribeJobQueuesRequest),
    structure("DescribeJobQueuesResponse", kBatchDescribeJobQueuesResponse),
    structure("DescribeJobsRequest", kBatchDescribeJobsRequest),
    structure("DescribeJobsResponse", kBatchDescribeJobsResponse),
    structure("DescribeQuotaShareRequest", kBatchDescribeQuotaShareRequest),
    structure("DescribeQuotaShareResponse", kBatchDescribeQuotaShareResponse),
    structure("DescribeSchedulingPoliciesRequest", kBatchDescribeSchedulingPoliciesRequest),
    structure("DescribeSchedulingPoliciesResponse", kBatchDescribeSchedulingPoliciesResponse),
    structure("DescribeServiceEnvironmentsRequest", kBatchDescribeServiceEnvironmentsRequest),
    structure("DescribeServiceEnvironmentsResponse", kBatchDescribeServiceEnvironmentsResponse),
    structure("DescribeServiceJobRequest", kBatchDescribeServiceJobRequest),
    structure("DescribeServiceJobResponse", kBatchDescribeServiceJobResponse),
    structure("Device", kBatchDevice),
    one_of("DeviceCgroupPermission", kBatchDeviceCgroupPermission),
    list("DeviceCgroupPermissions", BatchDeviceCgroupPermission),
    list("DevicesList", BatchDevice),
    scalar("Double", Type::Double),
    structure("EFSAuthorizationConfig", kBatchEFSAuthorizationConfig),
    one_of("EFSAuthorizationConfigIAM", kBatchEFSAuthorizationConfigIAM),
    one_of("EFSTransitEncryption", kBatchEFSTransitEncryption),
    structure("EFSVolumeConfiguration", kBatchEFSVolumeConfiguration),
    structure("Ec2Configuration", kBatchEc2Configuration),
    list("Ec2ConfigurationList", BatchEc2Configuration),
    structure("EcsProperties", kBatchEcsProperties),
    structure("EcsPropertiesDetail", kBatchEcsPropertiesDetail),
    structure("EcsPropertiesOverride", kBatchEcsPropertiesOverride),
    structure("EcsTaskDetails", kBatchEcsTaskDetails),
    structure("EcsTaskProperties", kBatchEcsTaskProperties),
    map("EksAnnotationsMap", BatchString, BatchString),
    structure("EksAttemptContainerDetail", kBatchEksAttemptContainerDetail),
    list("EksAttemptContainerDetails", BatchEksAttemptContainerDetail),
    structure("EksAttemptDetail", kBatchEksAttemptDetail),
    list("EksAttemptDetails", BatchEksAttemptDetail),
    structure("EksConfiguration", kBatchEksConfiguration),
    structure("EksContainer", kBatchEksContainer),
    structure("EksContainerDetail", kBatchEksContainerDetail),
    list("EksContainerDetails", BatchEksContainerDetail),
    structure("EksContainerEnvironmentVariable", kBatchEksContainerEnvironmentVariable),
    list("EksContainerEnvironmentVariables", BatchEksContainerEnvironmentVariable),
    structure("EksContainerOverride", kBatchEksContainerOverride),
    list("EksContainerOverrideList", BatchEksContainerOverride),
    structure("EksContainerResourceRequirements", kBatchEksContainerResourceRequirements),
    structure("EksContainerSecurityContext", kBatchEksContainerSecurityContext),
    structure("EksContainerVolumeMount", kBatchEksContainerVolumeMount),
    list("EksContainerVolumeMounts", BatchEksContainerVolumeMount),
    list("EksContainers", BatchEksContainer),
    structure("EksEmptyDir", kBatchEksEmptyDir),
    structure("EksHostPath", kBatchEksHostPath),
    map("EksLabelsMap", BatchString, BatchString),
    map("EksLimits", BatchString, BatchQuantity),
    structure("EksMetadata", kBatchEksMetadata),
    structure("EksPersistentVolumeClaim", kBatchEksPersistentVolumeClaim),
    structure("EksPodProperties", kBatchEksPodProperties),
    structure("EksPodPropertiesDetail", kBatchEksPodPropertiesDetail),
    structure("EksPodPropertiesOverride", kBatchEksPodPropertiesOverride),
    structure("EksProperties", kBatchEksProperties),
    structure("EksPropertiesDetail", kBatchEksPropertiesDetail),
    structure("EksPropertiesOverride", kBatchEksPropertiesOverride),
    map("EksRequests", BatchString, BatchQuantity),
    structure("EksSecret", kBatchEksSecret),
    structure("EksVolume", kBatchEksVolume),
    list("EksVolumes", BatchEksVolume),
    list("EnvironmentVariables", BatchKeyValuePair),
    structure("EphemeralStorage", kBatchEphemeralStorage),
    structure("EvaluateOnExit", kBatchEvaluateOnExit),
    list("EvaluateOnExitList", BatchEvaluateOnExit),
    structure("FairshareCapacityUsage", kBatchFairshareCapacityUsage),
    list("FairshareCapacityUsageList", BatchFairshareCapacityUsage),
    structure("FairshareCapacityUtilization", kBatchFairshareCapacityUtilization),
    list("FairshareCapacityUtilizationList", BatchFairshareCapacityUtilization),
    structure("FairsharePolicy", kBatchFairsharePolicy),
    structure("FairshareUtilizationDetail", kBatchFairshareUtilizationDetail),
    structure("FargatePlatformConfiguration", kBatchFargatePlatformConfiguration),
    structure("FirelensConfiguration", kBatchFirelensConfiguration),
    map("FirelensConfigurationOptionsMap", BatchString, BatchString),
    one_of("FirelensConfigurationType", kBatchFirelensConfigurationType),
    scalar("Float", Type::Float),
    structure("FrontOfQueueDetail", kBatchFrontOfQueueDetail),
    structure("FrontOfQueueJobSummary", kBatchFrontOfQueueJobSummary),
    list("FrontOfQueueJobSummaryList", BatchFrontOfQueueJobSummary),
    structure("FrontOfQuotaShareJobSummary", kBatchFrontOfQuotaShareJobSummary),
    list("FrontOfQuotaShareJobSummaryList", BatchFrontOfQuotaShareJobSummary),
    structure("FrontOfQuotaSharesDetail", kBatchFrontOfQuotaSharesDetail),
    map("FrontOfQuotaSharesJobSummaryMap", BatchString, BatchFrontOfQuotaShareJobSummaryList),
    structure("GetJobQueueSnapshotRequest", kBatchGetJobQueueSnapshotRequest),
    structure("GetJobQueueSnapshotResponse", kBatchGetJobQueueSnapshotResponse),
    structure("Host", kBatchHost),
    string("ImageIdOverride", 1, 256),
    structure("ImagePullSecret", kBatchImagePullSecret),
    list("ImagePullSecrets", BatchImagePullSecret),
    string("ImageType", 1, 256),
    scalar("Integer", Type::Integer),
    one_of("JQState", kBatchJQState),
    one_of("JQStatus", kBatchJQStatus),
    structure("JobCapacityUsageSummary", kBatchJobCapacityUsageSummary),
    list("JobCapacityUsageSummaryList", BatchJobCapacityUsageSummary),
    structure("JobDefinition", kBatchJobDefinition),
    list("JobDefinitionList", BatchJobDefinition),
    one_of("JobDefinitionType", kBatchJobDefinitionType),
    structure("JobDependency", kBatchJobDependency),
    list("JobDependencyList", BatchJobDependency),
    structure("JobDetail", kBatchJobDetail),
    list("JobDetailList", BatchJobDetail),
    scalar("JobExecutionTimeoutMinutes", Type::Long, 1, 7200),
    structure("JobQueueDetail", kBatchJobQueueDetail),
    list("JobQueueDetailList", BatchJobQueueDetail),
    one_of("JobQueueType", kBatchJobQueueType),
    structure("JobStateTimeLimitAction", kBatchJobStateTimeLimitAction),
    list("JobStateTimeLimitActions", BatchJobStateTimeLimitAction),
    one_of("JobStateTimeLimitActionsAction", kBatchJobStateTimeLimitActionsAction),
    one_of("JobStateTimeLimitActionsState", kBatchJobStateTimeLimitActionsState),
    one_of("JobStatus", kBatchJobStatus),
    structure("JobSummary", kBatchJobSummary),
    list("JobSummaryList", BatchJobSummary),
    structure("JobTimeout", kBatchJobTimeout),
    structure("KeyValuePair", kBatchKeyValuePair),
    structure("KeyValuesPair", kBatchKeyValuesPair),
    string("KubernetesVersion", 1, 256),
    structure("LatestServiceJobAttempt", kBatchLatestServiceJobAttempt),
    structure("LaunchTemplateSpecification", kBatchLaunchTemplateSpecification),
    structure("LaunchTemplateSpecificationOverride", kBatchLaunchTemplateSpecificationOverride),
    list("LaunchTemplateSpecificationOverrideList", BatchLaunchTemplateSpecificationOverride),
    structure("LinuxParameters", kBatchLinuxParameters),
    list("ListAttemptEcsTaskDetails", BatchAttemptEcsTaskDetails),
    list("ListAttemptTaskContainerDetails", BatchAttemptTaskContainerDetails),
    list("ListConsumableResourcesFilterList", BatchKeyValuesPair),
    structure("ListConsumableResourcesRequest", kBatchListConsumableResourcesRequest),
    structure("ListConsumableResourcesResponse", kBatchListConsumableResourcesResponse),
    list("ListEcsTaskDetails", BatchEcsTaskDetails),
    list("ListEcsTaskProperties", BatchEcsTaskProperties),
    list("ListJobsByConsumableResourceFilterList", BatchKeyValuesPair),
    structure("ListJobsByConsumableResourceRequest", kBatchListJobsByConsumableResourceRequest),
    structure("ListJobsByConsumableResourceResponse", kBatchListJobsByConsumableResourceResponse),
    structure("ListJobsByConsumableResourceSummary", kBatchListJobsByConsumableResourceSummary),
    list("ListJobsByConsumableResourceSummaryList", BatchListJobsByConsumableResourceSummary),
    list("ListJobsFilterList", BatchKeyValuesPair),
    structure("ListJobsRequest", kBatchListJobsRequest),
    structure("ListJobsResponse", kBatchListJobsResponse),
    structure("ListQuotaSharesRequest", kBatchListQuotaSharesRequest),
    structure("ListQuotaSharesResponse", kBatchListQuotaSharesResponse),
    structure("ListSchedulingPoliciesRequest", kBatchListSchedulingPoliciesRequest),
    structure("ListSchedulingPoliciesResponse", kBatchListSchedulingPoliciesResponse),
    structure("ListServiceJobsRequest", kBatchListServiceJobsRequest),
    structure("ListServiceJobsResponse", kBatchListServiceJobsResponse),
    structure("ListTagsForResourceRequest", kBatchListTagsForResourceRequest),
    structure("ListTagsForResourceResponse", kBatchListTagsForResourceResponse),
    list("ListTaskContainerDetails", BatchTaskContainerDetails),
    list("ListTaskContainerOverrides", BatchTaskContainerOverrides),
    list("ListTaskContainerProperties", BatchTaskContainerProperties),
    list("ListTaskPropertiesOverride", BatchTaskPropertiesOverride),
    structure("LogConfiguration", kBatchLogConfiguration),
    map("LogConfigurationOptionsMap", BatchString, BatchString),
    one_of("LogDriver", kBatchLogDriver),
    scalar("Long", Type::Long),
    structure("MountPoint", kBatchMountPoint),
    list("MountPoints", BatchMountPoint),
    structure("NetworkConfiguration", kBatchNetworkConfiguration),
    structure("NetworkInterface", kBatchNetworkInterface),
    list("NetworkInterfaceList", BatchNetworkInterface),
    structure("NodeDetails", kBatchNodeDetails),
    structure("NodeOverrides", kBatchNodeOverrides),
    structure("NodeProperties", kBatchNodeProperties),
    structure("NodePropertiesSummary", kBatchNodePropertiesSummary),
    structure("NodePropertyOverride", kBatchNodePropertyOverride),
    list("NodePropertyOverrides", BatchNodePropertyOverride),
    list("NodeRangeProperties", BatchNodeRangeProperty),
    structure("NodeRangeProperty", kBatchNodeRangeProperty),
    one_of("OrchestrationType", kBatchOrchestrationType),
    map("ParametersMap", BatchString, BatchString),
    one_of("PlatformCapability", kBatchPlatformCapability),
    list("PlatformCapabilityList", BatchPlatformCapability),
    string("Quantity", 1, 256),
    structure("QueueSnapshotCapacityUsage", kBatchQueueSnapshotCapacityUsage),
    list("QueueSnapshotCapacityUsageList", BatchQueueSnapshotCapacityUsage),
    structure("QueueSnapshotUtilizationDetail", kBatchQueueSnapshotUtilizationDetail),
    structure("QuotaShareCapacityLimit", kBatchQuotaShareCapacityLimit),
    list("QuotaShareCapacityLimits", BatchQuotaShareCapacityLimit),
    structure("QuotaShareCapacityUsage", kBatchQuotaShareCapacityUsage),
    list("QuotaShareCapacityUsageList", BatchQuotaShareCapacityUsage),
    structure("QuotaShareCapacityUtilization", kBatchQuotaShareCapacityUtilization),
    list("QuotaShareCapacityUtilizationList", BatchQuotaShareCapacityUtilization),
    structure("QuotaShareDetail", kBatchQuotaShareDetail),
    one_of("QuotaShareIdleResourceAssignmentStrategy", kBatchQuotaShareIdleResourceAssignmentStrategy),
    one_of("QuotaShareInSharePreemptionState", kBatchQuotaShareInSharePreemptionState),
    list("QuotaShareList", BatchQuotaShareDetail),
    structure("QuotaSharePolicy", kBatchQuotaSharePolicy),
    structure("QuotaSharePreemptionConfiguration", kBatchQuotaSharePreemptionConfiguration),
    structure("QuotaShareResourceSharingConfiguration", kBatchQuotaShareResourceSharingConfiguration),
    one_of("QuotaShareResourceSharingStrategy", kBatchQuotaShareResourceSharingStrategy),
    one_of("QuotaShareState", kBatchQuotaShareState),
    one_of("QuotaShareStatus", kBatchQuotaShareStatus),
    structure("QuotaShareUtilizationDetail", kBatchQuotaShareUtilizationDetail),
    structure("RegisterJobDefinitionRequest", kBatchRegisterJobDefinitionRequest),
    structure("RegisterJobDefinitionResponse", kBatchRegisterJobDefinitionResponse),
    structure("RepositoryCredentials", kBatchRepositoryCredentials),
    structure("ResourceRequirement", kBatchResourceRequirement),
    list("ResourceRequirements", BatchResourceRequirement),
    one_of("ResourceType", kBatchResourceType),
    one_of("RetryAction", kBatchRetryAction),
    structure("RetryStrategy", kBatchRetryStrategy),
    structure("RuntimePlatform", kBatchRuntimePlatform),
    structure("S3FilesVolumeConfiguration", kBatchS3FilesVolumeConfiguration),
    structure("SchedulingPolicyDetail", kBatchSchedulingPolicyDetail),
    list("SchedulingPolicyDetailList", BatchSchedulingPolicyDetail),
    structure("SchedulingPolicyListingDetail", kBatchSchedulingPolicyListingDetail),
    list("SchedulingPolicyListingDetailList", BatchSchedulingPolicyListingDetail),
    structure("Secret", kBatchSecret),
    list("SecretList", BatchSecret),
    structure("ServiceEnvironmentDetail", kBatchServiceEnvironmentDetail),
    list("ServiceEnvironmentDetailList", BatchServiceEnvironmentDetail),
    structure("ServiceEnvironmentOrder", kBatchServiceEnvironmentOrder),
    list("ServiceEnvironmentOrders", BatchServiceEnvironmentOrder),
    one_of("ServiceEnvironmentState", kBatchServiceEnvironmentState),
    one_of("ServiceEnvironmentStatus", kBatchServiceEnvironmentStatus),
    one_of("ServiceEnvironmentType", kBatchServiceEnvironmentType),
    structure("ServiceJobAttemptDetail", kBatchServiceJobAttemptDetail),
    list("ServiceJobAttemptDetails", BatchServiceJobAttemptDetail),
    structure("ServiceJobCapacityUsageDetail", kBatchServiceJobCapacityUsageDetail),
    list("ServiceJobCapacityUsageDetailList", BatchServiceJobCapacityUsageDetail),
    structure("ServiceJobCapacityUsageSummary", kBatchServiceJobCapacityUsageSummary),
    list("ServiceJobCapacityUsageSummaryList", BatchServiceJobCapacityUsageSummary),
    structure("ServiceJobEvaluateOnExit", kBatchServiceJobEvaluateOnExit),
    list("ServiceJobEvaluateOnExitList", BatchServiceJobEvaluateOnExit),
    structure("ServiceJobPreemptedAttempt", kBatchServiceJobPreemptedAttempt),
    structure("ServiceJobPreemptionConfiguration", kBatchServiceJobPreemptionConfiguration),
    structure("ServiceJobPreemptionSummary", kBatchServiceJobPreemptionSummary),
    list("ServiceJobRecentPreemptedAttemptList", BatchServiceJobPreemptedAttempt),
    one_of("ServiceJobRetryAction", kBatchServiceJobRetryAction),
    structure("ServiceJobRetryStrategy", kBatchServiceJobRetryStrategy),
    one_of("ServiceJobStatus", kBatchServiceJobStatus),
    structure("ServiceJobSummary", kBatchServiceJobSummary),
    list("ServiceJobSummaryList", BatchServiceJobSummary),
    structure("ServiceJobTimeout", kBatchServiceJobTimeout),
    one_of("ServiceJobType", kBatchServiceJobType),
    structure("ServiceResourceId", kBatchServiceResourceId),
    one_of("ServiceResourceIdName", kBatchServiceResourceIdName),
    structure("ShareAttributes", kBatchShareAttributes),
    list("ShareAttributesList", BatchShareAttributes),
    string("String"),
    list("StringList", BatchString),
    structure("SubmitJobRequest", kBatchSubmitJobRequest),
    structure("SubmitJobResponse", kBatchSubmitJobResponse),
    structure("SubmitServiceJobRequest", kBatchSubmitServiceJobRequest),
    structure("SubmitServiceJobResponse", kBatchSubmitServiceJobResponse),
    string("TagKey", 1, 128),
    list("TagKeysList", BatchTagKey, 1, 50),
    structure("TagResourceRequest", kBatchTagResourceRequest),
    structure("TagResourceResponse"),
    string("TagValue", kNone, 256),
    map("TagrisTagsMap", BatchTagKey, BatchTagValue, 1, 50),
    map("TagsMap", BatchString, BatchString),
    structure("TaskContainerDependency", kBatchTaskContainerDependency),
    list("TaskContainerDependencyList", BatchTaskContainerDependency),
    structure("TaskContainerDetails", kBatchTaskContainerDetails),
    structure("TaskContainerOverrides", kBatchTaskContainerOverrides),
    structure("TaskContainerProperties", kBatchTaskContainerProperties),
    structure("TaskPropertiesOverride", kBatchTaskPropertiesOverride),
    structure("TerminateJobRequest", kBatchTerminateJobRequest),
    structure("TerminateJobResponse"),
    structure("TerminateServiceJobRequest", kBatchTerminateServiceJobRequest),
    structure("TerminateServiceJobResponse"),
    structure("Tmpfs", kBatchTmpfs),
    list("TmpfsList", BatchTmpfs),
    structure("Ulimit", kBatchUlimit),
    list("Ulimits", BatchUlimit),
    structure("UntagResourceRequest", kBatchUntagResourceRequest),
    structure("UntagResourceResponse"),
    structure("UpdateComputeEnvironmentRequest", kBatchUpdateComputeEnvironmentRequest),
    structure("UpdateComputeEnvironmentResponse", kBatchUpdateComputeEnvironmentResponse),
    structure("UpdateConsumableResourceRequest", kBatchUpdateConsumableResourceRequest),
    structure("UpdateConsumableResourceResponse", kBatchUpdateConsumableResourceResponse),
    structure("UpdateJobQueueRequest", kBatchUpdateJobQueueRequest),
    structure("UpdateJobQueueResponse", kBatchUpdateJobQueueResponse),
    structure("UpdatePolicy", kBatchUpdatePolicy),
    structure("UpdateQuotaShareRequest", kBatchUpdateQuotaShareRequest),
    structure("UpdateQuotaShareResponse", kBatchUpdateQuotaShareResponse),
    structure("UpdateSchedulingPolicyRequest", kBatchUpdateSchedulingPolicyRequest),
    structure("UpdateSchedulingPolicyResponse"),
    structure("UpdateServiceEnvironmentRequest", kBatchUpdateServiceEnvironmentRequest),
    structure("UpdateServiceEnvironmentResponse", kBatchUpdateServiceEnvironmentResponse),
    structure("UpdateServiceJobRequest", kBatchUpdateServiceJobRequest),
    structure("UpdateServiceJobResponse", kBatchUpdateServiceJobResponse),
    one_of("UserdataType", kBatchUserdataType),
    structure("Volume", kBatchVolume),
    list("Volumes", BatchVolume),
    string("AccountId", 12, 12, "^\\d{12}$"),
    list("AccountIds", LogsAccountId, 0, 20),
    string("AmazonResourceName", 1, 1011, "[\\w+=/:,.@-]*"),
    string("Arn"),
    scalar("BearerTokenAuthenticationEnabled", Type::Boolean),
    one_of("DataProtectionStatus", kLogsDataProtectionStatus),
    structure("DataSourceFilter", kLogsDataSourceFilter),
    list("DataSourceFilters", LogsDataSourceFilter, 1, 5),
    string("DataSourceName"),
    string("DataSourceType"),
    scalar("Days", Type::Integer),
    scalar("DeletionProtectionEnabled", Type::Boolean),
    scalar("Descending", Type::Boolean),
    scalar("DescribeLimit", Type::Integer, 1, 50),
    list("DescribeLogGroupsLogGroupIdentifiers", LogsLogGroupIdentifier, 1, 50),
    structure("DescribeLogGroupsRequest", kLogsDescribeLogGroupsRequest),
    structure("DescribeLogGroupsResponse", kLogsDescribeLogGroupsResponse),
    structure("DescribeLogStreamsRequest", kLogsDescribeLogStreamsRequest),
    structure("DescribeLogStreamsResponse", kLogsDescribeLogStreamsResponse),
    string("EventId"),
    string("EventMessage", 1),
    scalar("EventsLimit", Type::Integer, 1, 10000),
    string("FieldIndexName", 1, 512, "[\\.\\-_/#A-Za-z0-9]+"),
    list("FieldIndexNames", LogsFieldIndexName, 1, 20),
    scalar("FilterCount", Type::Integer),
    structure("FilterLogEventsRequest", kLogsFilterLogEventsRequest),
    structure("FilterLogEventsResponse", kLogsFilterLogEventsResponse),
    string("FilterPattern", 0, 1024),
    structure("FilteredLogEvent", kLogsFilteredLogEvent),
    list("FilteredLogEvents", LogsFilteredLogEvent),
    structure("GetLogEventsRequest", kLogsGetLogEventsRequest),
    structure("GetLogEventsResponse", kLogsGetLogEventsResponse),
    scalar("IncludeLinkedAccounts", Type::Boolean),
    list("InheritedProperties", LogsInheritedProperty),
    one_of("InheritedProperty", kLogsInheritedProperty),
    list("InputLogStreamNames", LogsLogStreamName, 1, 100),
    scalar("Interleaved", Type::Boolean),
    scalar("IsSampled", Type::Boolean),
    string("KmsKeyId", kNone, 256),
    scalar("ListLimit", Type::Integer, 1, 1000),
    structure("ListLogGroupsRequest", kLogsListLogGroupsRequest),
    structure("ListLogGroupsResponse", kLogsListLogGroupsResponse),
    structure("ListTagsForResourceRequest", kLogsListTagsForResourceRequest),
    structure("ListTagsForResourceResponse", kLogsListTagsForResourceResponse),
    structure("ListTagsLogGroupRequest", kLogsListTagsLogGroupRequest),
    structure("ListTagsLogGroupResponse", kLogsListTagsLogGroupResponse),
    structure("LiveTailSessionLogEvent", kLogsLiveTailSessionLogEvent),
    structure("LiveTailSessionMetadata", kLogsLiveTailSessionMetadata),
    list("LiveTailSessionResults", LogsLiveTailSessionLogEvent),
    structure("LiveTailSessionStart", kLogsLiveTailSessionStart),
    structure("LiveTailSessionUpdate", kLogsLiveTailSessionUpdate),
    structure("LogGroup", kLogsLogGroup),
    one_of("LogGroupClass", kLogsLogGroupClass),
    string("LogGroupIdentifier", 1, 2048, "[\\w#+=/:,.@-]*"),
    string("LogGroupName", 1, 512, "[\\.\\-_/#A-Za-z0-9]+"),
    string("LogGroupNamePattern", 0, 512, "[\\.\\-_/#A-Za-z0-9]*"),
    string("LogGroupNameRegexPattern", 3, 129, "(\\^?[\\.\\-_\\/#A-Za-z0-9]{3,24})(\\|\\^?[\\.\\-_\\/#A-Za-z0-9]{3,24}){0,4}"),
    list("LogGroupSummaries", LogsLogGroupSummary),
    structure("LogGroupSummary", kLogsLogGroupSummary),
    list("LogGroups", LogsLogGroup),
    structure("LogStream", kLogsLogStream),
    string("LogStreamName", 1, 512, "[^:*]*"),
    scalar("LogStreamSearchedCompletely", Type::Boolean),
    list("LogStreams", LogsLogStream),
    string("Message"),
    string("NextToken", 1),
    one_of("OrderBy", kLogsOrderBy),
    structure("OutputLogEvent", kLogsOutputLogEvent),
    list("OutputLogEvents", LogsOutputLogEvent),
    string("RequestId", 0, 256),
    structure("SearchedLogStream", kLogsSearchedLogStream),
    list("SearchedLogStreams", LogsSearchedLogStream),
    string("SequenceToken", 1),
    string("SessionId", 0, 256),
    structure("SessionStreamingException", kLogsSessionStreamingException),
    structure("SessionTimeoutException", kLogsSessionTimeoutException),
    scalar("StartFromHead", Type::Boolean),
    list("StartLiveTailLogGroupIdentifiers", LogsLogGroupIdentifier, 1, 10),
    structure("StartLiveTailRequest", kLogsStartLiveTailRequest),
    structure("StartLiveTailResponse", kLogsStartLiveTailResponse),
    structure("StartLiveTailResponseStream", kLogsStartLiveTailResponseStream),
    scalar("StoredBytes", Type::Long, 0),
    structure("TagFilter", kLogsTagFilter),
    string("TagFilterKey", 1, 128, "^([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]+)$"),
    string("TagFilterValue", 0, 259, "^!?\\*?([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*)\\*?$"),
    list("TagFilterValues", LogsTagFilterValue, 0, 5),
    list("TagFilters", LogsTagFilter, 1, 5),
    string("TagKey", 1, 128, "^([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]+)$"),
    string("TagValue", kNone, 256, "^([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*)$"),
    map("Tags", LogsTagKey, LogsTagValue, 1, 50),
    scalar("Timestamp", Type::Long, 0),
    scalar("Unmask", Type::Boolean),
    structure("ActivityFailedEventDetails", kStatesActivityFailedEventDetails),
    list("ActivityList", StatesActivityListItem),
    structure("ActivityListItem", kStatesActivityListItem),
    structure("ActivityScheduleFailedEventDetails", kStatesActivityScheduleFailedEventDetails),
    structure("ActivityScheduledEventDetails", kStatesActivityScheduledEventDetails),
    structure("ActivityStartedEventDetails", kStatesActivityStartedEventDetails),
    structure("ActivitySucceededEventDetails", kStatesActivitySucceededEventDetails),
    structure("ActivityTimedOutEventDetails", kStatesActivityTimedOutEventDetails),
    string("AliasDescription", kNone, 256, "", true),
    string("Arn", 1, 256),
    map("AssignedVariables", StatesVariableName, StatesVariableValue),
    structure("AssignedVariablesDetails", kStatesAssignedVariablesDetails),
    scalar("BilledDuration", Type::Long, 0),
    scalar("BilledMemoryUsed", Type::Long, 0),
    structure("BillingDetails", kStatesBillingDetails),
    string("CharacterRestrictedName", 1, 80, "^(?=.*[a-zA-Z_\\-\\.])[a-zA-Z0-9_\\-\\.]+$"),
    string("ClientToken", 1, 64, "[!-~]+"),
    structure("CloudWatchEventsExecutionDataDetails", kStatesCloudWatchEventsExecutionDataDetails),
    structure("CloudWatchLogsLogGroup", kStatesCloudWatchLogsLogGroup),
    string("ConnectorParameters", 0, 262144, "", true),
    structure("CreateActivityInput", kStatesCreateActivityInput),
    structure("CreateActivityOutput", kStatesCreateActivityOutput),
    structure("CreateStateMachineAliasInput", kStatesCreateStateMachineAliasInput),
    structure("CreateStateMachineAliasOutput", kStatesCreateStateMachineAliasOutput),
    structure("CreateStateMachineInput", kStatesCreateStateMachineInput),
    structure("CreateStateMachineOutput", kStatesCreateStateMachineOutput),
    string("Definition", 1, 1048576, "", true),
    structure("DeleteActivityInput", kStatesDeleteActivityInput),
    structure("DeleteActivityOutput"),
    structure("DeleteStateMachineAliasInput", kStatesDeleteStateMachineAliasInput),
    structure("DeleteStateMachineAliasOutput"),
    structure("DeleteStateMachineInput", kStatesDeleteStateMachineInput),
    structure("DeleteStateMachineOutput"),
    structure("DeleteStateMachineVersionInput", kStatesDeleteStateMachineVersionInput),
    structure("DeleteStateMachineVersionOutput"),
    structure("DescribeActivityInput", kStatesDescribeActivityInput),
    structure("DescribeActivityOutput", kStatesDescribeActivityOutput),
    structure("DescribeExecutionInput", kStatesDescribeExecutionInput),
    structure("DescribeExecutionOutput", kStatesDescribeExecutionOutput),
    structure("DescribeMapRunInput", kStatesDescribeMapRunInput),
    structure("DescribeMapRunOutput", kStatesDescribeMapRunOutput),
    structure("DescribeStateMachineAliasInput", kStatesDescribeStateMachineAliasInput),
    structure("DescribeStateMachineAliasOutput", kStatesDescribeStateMachineAliasOutput),
    structure("DescribeStateMachineForExecutionInput", kStatesDescribeStateMachineForExecutionInput),
    structure("DescribeStateMachineForExecutionOutput", kStatesDescribeStateMachineForExecutionOutput),
    structure("DescribeStateMachineInput", kStatesDescribeStateMachineInput),
    structure("DescribeStateMachineOutput", kStatesDescribeStateMachineOutput),
    scalar("Enabled", Type::Boolean),
    structure("EncryptionConfiguration", kStatesEncryptionConfiguration),
    one_of("EncryptionType", kStatesEncryptionType),
    structure("EvaluationFailedEventDetails", kStatesEvaluationFailedEventDetails),
    string("EvaluationFailureLocation", 0, 256, "", true),
    scalar("EventId", Type::Long),
    scalar("ExceptionHandlerIndex", Type::Integer, 0, kNone, true),
    structure("ExecutionAbortedEventDetails", kStatesExecutionAbortedEventDetails),
    structure("ExecutionFailedEventDetails", kStatesExecutionFailedEventDetails),
    list("ExecutionList", StatesExecutionListItem),
    structure("ExecutionListItem", kStatesExecutionListItem),
    one_of("ExecutionRedriveFilter", kStatesExecutionRedriveFilter),
    one_of("ExecutionRedriveStatus", kStatesExecutionRedriveStatus),
    structure("ExecutionRedrivenEventDetails", kStatesExecutionRedrivenEventDetails),
    structure("ExecutionStartedEventDetails", kStatesExecutionStartedEventDetails),
    one_of("ExecutionStatus", kStatesExecutionStatus),
    structure("ExecutionSucceededEventDetails", kStatesExecutionSucceededEventDetails),
    structure("ExecutionTimedOutEventDetails", kStatesExecutionTimedOutEventDetails),
    structure("GetActivityTaskInput", kStatesGetActivityTaskInput),
    structure("GetActivityTaskOutput", kStatesGetActivityTaskOutput),
    structure("GetExecutionHistoryInput", kStatesGetExecutionHistoryInput),
    structure("GetExecutionHistoryOutput", kStatesGetExecutionHistoryOutput),
    string("HTTPBody"),
    string("HTTPHeaders"),
    string("HTTPMethod"),
    string("HTTPProtocol"),
    string("HTTPStatusCode"),
    string("HTTPStatusMessage"),
    structure("HistoryEvent", kStatesHistoryEvent),
    structure("HistoryEventExecutionDataDetails", kStatesHistoryEventExecutionDataDetails),
    list("HistoryEventList", StatesHistoryEvent),
    one_of("HistoryEventType", kStatesHistoryEventType),
    string("Identity", kNone, 256),
    scalar("IncludeExecutionData", Type::Boolean),
    scalar("IncludeExecutionDataGetExecutionHistory", Type::Boolean),
    one_of("IncludedData", kStatesIncludedData),
    structure("InspectionData", kStatesInspectionData),
    structure("InspectionDataRequest", kStatesInspectionDataRequest),
    structure("InspectionDataResponse", kStatesInspectionDataResponse),
    structure("InspectionErrorDetails", kStatesInspectionErrorDetails),
    one_of("InspectionLevel", kStatesInspectionLevel),
    scalar("InspectionMaxConcurrency", Type::Integer, 0, kNone, true),
    scalar("InspectionToleratedFailureCount", Type::Integer, 0, kNone, true),
    scalar("InspectionToleratedFailurePercentage", Type::Float, 0, 100, true),
    scalar("KmsDataKeyReusePeriodSeconds", Type::Integer, 60, 900),
    string("KmsKeyId", 1, 2048),
    structure("LambdaFunctionFailedEventDetails", kStatesLambdaFunctionFailedEventDetails),
    structure("LambdaFunctionScheduleFailedEventDetails", kStatesLambdaFunctionScheduleFailedEventDetails),
    structure("LambdaFunctionScheduledEventDetails", kStatesLambdaFunctionScheduledEventDetails),
    structure("LambdaFunctionStartFailedEventDetails", kStatesLambdaFunctionStartFailedEventDetails),
    structure("LambdaFunctionSucceededEventDetails", kStatesLambdaFunctionSucceededEventDetails),
    structure("LambdaFunctionTimedOutEventDetails", kStatesLambdaFunctionTimedOutEventDetails),
    structure("ListActivitiesInput", kStatesListActivitiesInput),
    structure("ListActivitiesOutput", kStatesListActivitiesOutput),
    structure("ListExecutionsInput", kStatesListExecutionsInput),
    structure("ListExecutionsOutput", kStatesListExecutionsOutput),
    string("ListExecutionsPageToken", 1, 3096),
    structure("ListMapRunsInput", kStatesListMapRunsInput),
    structure("ListMapRunsOutput", kStatesListMapRunsOutput),
    structure("ListStateMachineAliasesInput", kStatesListStateMachineAliasesInput),
    structure("ListStateMachineAliasesOutput", kStatesListStateMachineAliasesOutput),
    structure("ListStateMachineVersionsInput", kStatesListStateMachineVersionsInput),
    structure("ListStateMachineVersionsOutput", kStatesListStateMachineVersionsOutput),
    structure("ListStateMachinesInput", kStatesListStateMachinesInput),
    structure("ListStateMachinesOutput", kStatesListStateMachinesOutput),
    structure("ListTagsForResourceInput", kStatesListTagsForResourceInput),
    structure("ListTagsForResourceOutput", kStatesListTagsForResourceOutput),
    structure("LogDestination", kStatesLogDestination),
    list("LogDestinationList", StatesLogDestination),
    one_of("LogLevel", kStatesLogLevel),
    structure("LoggingConfiguration", kStatesLoggingConfiguration),
    string("LongArn", 1, 2000),
    scalar("LongObject", Type::Long),
    structure("MapIterationEventDetails", kStatesMapIterationEventDetails),
    scalar("MapIterationFailureCount", Type::Integer, 0),
    structure("MapRunExecutionCounts", kStatesMapRunExecutionCounts),
    structure("MapRunFailedEventDetails", kStatesMapRunFailedEventDetails),
    structure("MapRunItemCounts", kStatesMapRunItemCounts),
    string("MapRunLabel"),
    list("MapRunList", StatesMapRunListItem),
    structure("MapRunListItem", kStatesMapRunListItem),
    structure("MapRunRedrivenEventDetails", kStatesMapRunRedrivenEventDetails),
    structure("MapRunStartedEventDetails", kStatesMapRunStartedEventDetails),
    one_of("MapRunStatus", kStatesMapRunStatus),
    structure("MapStateStartedEventDetails", kStatesMapStateStartedEventDetails),
    scalar("MaxConcurrency", Type::Integer, 0),
    structure("MockErrorOutput", kStatesMockErrorOutput),
    structure("MockInput", kStatesMockInput),
    one_of("MockResponseValidationMode", kStatesMockResponseValidationMode),
    string("Name", 1, 80),
    scalar("PageSize", Type::Integer, 0, 1000),
    string("PageToken", 1, 1024),
    scalar("Publish", Type::Boolean),
    structure("PublishStateMachineVersionInput", kStatesPublishStateMachineVersionInput),
    structure("PublishStateMachineVersionOutput", kStatesPublishStateMachineVersionOutput),
    scalar("RedriveCount", Type::Integer),
    structure("RedriveExecutionInput", kStatesRedriveExecutionInput),
    structure("RedriveExecutionOutput", kStatesRedriveExecutionOutput),
    scalar("RetrierRetryCount", Type::Integer, 0),
    scalar("RetryBackoffIntervalSeconds", Type::Integer, 0, kNone, true),
    scalar("RevealSecrets", Type::Boolean),
    scalar("ReverseOrder", Type::Boolean),
    string("RevisionId"),
    list("RoutingConfigurationList", StatesRoutingConfigurationListItem, 1, 2),
    structure("RoutingConfigurationListItem", kStatesRoutingConfigurationListItem),
    structure("SendTaskFailureInput", kStatesSendTaskFailureInput),
    structure("SendTaskFailureOutput"),
    structure("SendTaskHeartbeatInput", kStatesSendTaskHeartbeatInput),
    structure("SendTaskHeartbeatOutput"),
    structure("SendTaskSuccessInput", kStatesSendTaskSuccessInput),
    structure("SendTaskSuccessOutput"),
    string("SensitiveCause", 0, 32768, "", true),
    string("SensitiveData", kNone, 262144, "", true),
    string("SensitiveDataJobInput", kNone, 1048576, "", true),
    string("SensitiveError", 0, 256, "", true),
    structure("StartExecutionInput", kStatesStartExecutionInput),
    structure("StartExecutionOutput", kStatesStartExecutionOutput),
    structure("StartSyncExecutionInput", kStatesStartSyncExecutionInput),
    structure("StartSyncExecutionOutput", kStatesStartSyncExecutionOutput),
    structure("StateEnteredEventDetails", kStatesStateEnteredEventDetails),
    structure("StateExitedEventDetails", kStatesStateExitedEventDetails),
    list("StateMachineAliasList", StatesStateMachineAliasListItem),
    structure("StateMachineAliasListItem", kStatesStateMachineAliasListItem),
    list("StateMachineList", StatesStateMachineListItem),
    structure("StateMachineListItem", kStatesStateMachineListItem),
    one_of("StateMachineStatus", kStatesStateMachineStatus),
    one_of("StateMachineType", kStatesStateMachineType),
    list("StateMachineVersionList", StatesStateMachineVersionListItem),
    structure("StateMachineVersionListItem", kStatesStateMachineVersionListItem),
    string("StateName", 1, 80),
    structure("StopExecutionInput", kStatesStopExecutionInput),
    structure("StopExecutionOutput", kStatesStopExecutionOutput),
    one_of("SyncExecutionStatus", kStatesSyncExecutionStatus),
    structure("Tag", kStatesTag),
    string("TagKey", 1, 128),
    list("TagKeyList", StatesTagKey),
    list("TagList", StatesTag),
    structure("TagResourceInput", kStatesTagResourceInput),
    structure("TagResourceOutput"),
    string("TagValue", 0, 256),
    structure("TaskCredentials", kStatesTaskCredentials),
    structure("TaskFailedEventDetails", kStatesTaskFailedEventDetails),
    structure("TaskScheduledEventDetails", kStatesTaskScheduledEventDetails),
    structure("TaskStartFailedEventDetails", kStatesTaskStartFailedEventDetails),
    structure("TaskStartedEventDetails", kStatesTaskStartedEventDetails),
    structure("TaskSubmitFailedEventDetails", kStatesTaskSubmitFailedEventDetails),
    structure("TaskSubmittedEventDetails", kStatesTaskSubmittedEventDetails),
    structure("TaskSucceededEventDetails", kStatesTaskSucceededEventDetails),
    structure("TaskTimedOutEventDetails", kStatesTaskTimedOutEventDetails),
    string("TaskToken", 1, 2048),
    one_of("TestExecutionStatus", kStatesTestExecutionStatus),
    structure("TestStateConfiguration", kStatesTestStateConfiguration),
    structure("TestStateInput", kStatesTestStateInput),
    structure("TestStateOutput", kStatesTestStateOutput),
    string("TestStateStateName", 1, 80, "", true),
    scalar("TimeoutInSeconds", Type::Long),
    scalar("Timestamp", Type::Timestamp),
    scalar("ToleratedFailureCount", Type::Long, 0),
    scalar("ToleratedFailurePercentage", Type::Float, 0, 100),
    string("TraceHeader", 0, 256, "\\p{ASCII}*"),
    structure("TracingConfiguration", kStatesTracingConfiguration),
    string("URL"),
    scalar("UnsignedInteger", Type::Integer, 0),
    scalar("UnsignedLong", Type::Long, 0),
    structure("UntagResourceInput", kStatesUntagResourceInput),
    structure("UntagResourceOutput"),
    structure("UpdateMapRunInput", kStatesUpdateMapRunInput),
    structure("UpdateMapRunOutput"),
    structure("UpdateStateMachineAliasInput", kStatesUpdateStateMachineAliasInput),
    structure("UpdateStateMachineAliasOutput", kStatesUpdateStateMachineAliasOutput),
    structure("UpdateStateMachineInput", kStatesUpdateStateMachineInput),
    structure("UpdateStateMachineOutput", kStatesUpdateStateMachineOutput),
    string("ValidateStateMachineDefinitionCode", kNone, kNone, "", true),
    structure("ValidateStateMachineDefinitionDiagnostic", kStatesValidateStateMachineDefinitionDiagnostic),
    list("ValidateStateMachineDefinitionDiagnosticList", StatesValidateStateMachineDefinitionDiagnostic),
    structure("ValidateStateMachineDefinitionInput", kStatesValidateStateMachineDefinitionInput),
    string("ValidateStateMachineDefinitionLocation", kNone, kNone, "", true),
    scalar("ValidateStateMachineDefinitionMaxResult", Type::Integer, 0, 100),
    string("ValidateStateMachineDefinitionMessage", kNone, kNone, "", true),
    structure("ValidateStateMachineDefinitionOutput", kStatesValidateStateMachineDefinitionOutput),
    one_of("ValidateStateMachineDefinitionResultCode", kStatesValidateStateMachineDefinitionResultCode),
    one_of("ValidateStateMachineDefinitionSeverity", kStatesValidateStateMachineDefinitionSeverity),
    scalar("ValidateStateMachineDefinitionTruncated", Type::Boolean),
    string("VariableName", kNone, kNone, "", true),
    list("VariableNameList", StatesVariableName),
    map("VariableReferences", StatesStateName, StatesVariableNameList),
    string("VariableValue", kNone, kNone, "", true),
    string("VersionDescription", kNone, 256, "", true),
    scalar("VersionWeight", Type::Integer, 0, 100),
    scalar("includedDetails", Type::Boolean),
    scalar("truncated", Type::Boolean),
    structure("ExplainRequest", kStokerExplainRequest),
    structure("ExplainResponse", kStokerExplainResponse),
    structure("ListCostsRequest", kStokerListCostsRequest),
    list("CostKeys", StokerCostKey),
    one_of("CostKey", kStokerCostKey),
    structure("ListCostsResponse", kStokerListCostsResponse),
    list("CostLines", StokerCostLine),
    structure("CostLine", kStokerCostLine),
    structure("JobCost", kStokerJobCost),
    list("Reasons", StokerReason),
    structure("Reason", kStokerReason),
    one_of("ReasonKind", kStokerReasonKind),
    list("Dependencies", StokerDependencyState),
    structure("DependencyState", kStokerDependencyState),
    list("NodeFits", StokerNodeFit),
    structure("NodeFit", kStokerNodeFit),
    structure("AttemptSummary", kStokerAttemptSummary),
    structure("Resources", kStokerResources),
    structure("ListAllExecutionsRequest", kStokerListAllExecutionsRequest),
    one_of("ExecutionStatus", kStokerExecutionStatus),
    structure("ListAllExecutionsResponse", kStokerListAllExecutionsResponse),
    list("ExecutionLines", StokerExecutionLine),
    structure("ExecutionLine", kStokerExecutionLine),
    structure("ListAllJobsRequest", kStokerListAllJobsRequest),
    structure("ListAllJobsResponse", kStokerListAllJobsResponse),
    list("JobLines", StokerJobLine),
    structure("JobLine", kStokerJobLine),
    structure("StartedBy", kStokerStartedBy),
    map("Counts", StokerString, StokerInteger),
    structure("ListNodesRequest", kStokerListNodesRequest),
    structure("ListNodesResponse", kStokerListNodesResponse),
    list("NodeLines", StokerNodeLine),
    structure("NodeLine", kStokerNodeLine),
    structure("ListQueuesRequest", kStokerListQueuesRequest),
    structure("ListQueuesResponse", kStokerListQueuesResponse),
    list("QueueLines", StokerQueueLine),
    structure("QueueLine", kStokerQueueLine),
    list("GpuLines", StokerGpuLine),
    structure("GpuLine", kStokerGpuLine),
    list("GpuSharers", StokerGpuSharer),
    structure("GpuSharer", kStokerGpuSharer),
    list("MigDeviceLines", StokerMigDeviceLine),
    structure("MigDeviceLine", kStokerMigDeviceLine),
    list("HeldJobs", StokerHeldJob),
    structure("HeldJob", kStokerHeldJob),
    structure("UpdateJobRequest", kStokerUpdateJobRequest),
    structure("UpdateJobResponse", kStokerUpdateJobResponse),
    scalar("SchedulingPriority", Type::Integer, 0, 9999),
    string("JobId", 1, 256),
    list("JobIds", StokerJobId),
    one_of("JobStatus", kStokerJobStatus),
    list("JobStatuses", StokerJobStatus, kNone, 7),
    list("Strings", StokerString),
    string("String"),
    scalar("Boolean", Type::Boolean),
    scalar("Integer", Type::Integer),
    scalar("Long", Type::Long),
    scalar("Double", Type::Double),
};

constexpr Operation kOperations[] = {
    {OperationId::BatchCancelJob, Service::Batch, "CancelJob", "POST", "/v1/canceljob", BatchCancelJobRequest, BatchCancelJobResponse},
    {OperationId::BatchCreateComputeEnvironment, Service::Batch, "CreateComputeEnvironment", "POST", "/v1/createcomputeenvironment", BatchCreateComputeEnvironmentRequest, BatchCreateComputeEnvironmentResponse},
    {OperationId::BatchCreateConsumableResource, Service::Batch, "CreateConsumableResource", "POST", "/v1/createconsumableresource", BatchCreateConsumableResourceRequest, BatchCreateConsumableResourceResponse},
    {OperationId::BatchCreateJobQueue, Service::Batch, "CreateJobQueue", "POST", "/v1/createjobqueue", BatchCreateJobQueueRequest, BatchCreateJobQueueResponse},
    {OperationId::BatchCreateQuotaShare, Service::Batch, "CreateQuotaShare", "POST", "/v1/createquotashare", BatchCreateQuotaShareRequest, BatchCreateQuotaShareResponse},
    {OperationId::BatchCreateSchedulingPolicy, Service::Batch, "CreateSchedulingPolicy", "POST", "/v1/createschedulingpolicy", BatchCreateSchedulingPolicyRequest, BatchCreateSchedulingPolicyResponse},
    {OperationId::BatchCreateServiceEnvironment, Service::Batch, "CreateServiceEnvironment", "POST", "/v1/createserviceenvironment", BatchCreateServiceEnvironmentRequest, BatchCreateServiceEnvironmentResponse},
    {OperationId::BatchDeleteComputeEnvironment, Service::Batch, "DeleteComputeEnvironment", "POST", "/v1/deletecomputeenvironment", BatchDeleteComputeEnvironmentRequest, BatchDeleteComputeEnvironmentResponse},
    {OperationId::BatchDeleteConsumableResource, Service::Batch, "DeleteConsumableResource", "POST", "/v1/deleteconsumableresource", BatchDeleteConsumableResourceRequest, BatchDeleteConsumableResourceResponse},
    {OperationId::BatchDeleteJobQueue, Service::Batch, "DeleteJobQueue", "POST", "/v1/deletejobqueue", BatchDeleteJobQueueRequest, BatchDeleteJobQueueResponse},
    {OperationId::BatchDeleteQuotaShare, Service::Batch, "DeleteQuotaShare", "POST", "/v1/deletequotashare", BatchDeleteQuotaShareRequest, BatchDeleteQuotaShareResponse},
    {OperationId::BatchDeleteSchedulingPolicy, Service::Batch, "DeleteSchedulingPolicy", "POST", "/v1/deleteschedulingpolicy", BatchDeleteSchedulingPolicyRequest, BatchDeleteSchedulingPolicyResponse},
    {OperationId::BatchDeleteServiceEnvironment, Service::Batch, "DeleteServiceEnvironment", "POST", "/v1/deleteserviceenvironment", BatchDeleteServiceEnvironmentRequest, BatchDeleteServiceEnvironmentResponse},
    {OperationId::BatchDeregisterJobDefinition, Service::Batch, "DeregisterJobDefinition", "POST", "/v1/deregisterjobdefinition", BatchDeregisterJobDefinitionRequest, BatchDeregisterJobDefinitionResponse},
    {OperationId::BatchDescribeComputeEnvironments, Service::Batch, "DescribeComputeEnvironments", "POST", "/v1/describecomputeenvironments", BatchDescribeComputeEnvironmentsRequest, BatchDescribeComputeEnvironmentsResponse},
    {OperationId::BatchDescribeConsumableResource, Service::Batch, "DescribeConsumableResource", "POST", "/v1/describeconsumableresource", BatchDescribeConsumableResourceRequest, BatchDescribeConsumableResourceResponse},
    {OperationId::BatchDescribeJobDefinitions, Service::Batch, "DescribeJobDefinitions", "POST", "/v1/describejobdefinitions", BatchDescribeJobDefinitionsRequest, BatchDescribeJobDefinitionsResponse},
    {OperationId::BatchDescribeJobQueues, Service::Batch, "DescribeJobQueues", "POST", "/v1/describejobqueues", BatchDescribeJobQueuesRequest, BatchDescribeJobQueuesResponse},
    {OperationId::BatchDescribeJobs, Service::Batch, "DescribeJobs", "POST", "/v1/describejobs", BatchDescribeJobsRequest, BatchDescribeJobsResponse},
    {OperationId::BatchDescribeQuotaShare, Service::Batch, "DescribeQuotaShare", "POST", "/v1/describequotashare", BatchDescribeQuotaShareRequest, BatchDescribeQuotaShareResponse},
    {OperationId::BatchDescribeSchedulingPolicies, Service::Batch, "DescribeSchedulingPolicies", "POST", "/v1/describeschedulingpolicies", BatchDescribeSchedulingPoliciesRequest, BatchDescribeSchedulingPoliciesResponse},
    {OperationId::BatchDescribeServiceEnvironments, Service::Batch, "DescribeServiceEnvironments", "POST", "/v1/describeserviceenvironments", BatchDescribeServiceEnvironmentsRequest, BatchDescribeServiceEnvironmentsResponse},
    {OperationId::BatchDescribeServiceJob, Service::Batch, "DescribeServiceJob", "POST", "/v1/describeservicejob", BatchDescribeServiceJobRequest, BatchDescribeServiceJobResponse},
    {OperationId::BatchGetJobQueueSnapshot, Service::Batch, "GetJobQueueSnapshot", "POST", "/v1/getjobqueuesnapshot", BatchGetJobQueueSnapshotRequest, BatchGetJobQueueSnapshotResponse},
    {OperationId::BatchListConsumableResources, Service::Batch, "ListConsumableResources", "POST", "/v1/listconsumableresources", BatchListConsumableResourcesRequest, BatchListConsumableResourcesResponse},
    {OperationId::BatchListJobs, Service::Batch, "ListJobs", "POST", "/v1/listjobs", BatchListJobsRequest, BatchListJobsResponse},
    {OperationId::BatchListJobsByConsumableResource, Service::Batch, "ListJobsByConsumableResource", "POST", "/v1/listjobsbyconsumableresource", BatchListJobsByConsumableResourceRequest, BatchListJobsByConsumableResourceResponse},
    {OperationId::BatchListQuotaShares, Service::Batch, "ListQuotaShares", "POST", "/v1/listquotashares", BatchListQuotaSharesRequest, BatchListQuotaSharesResponse},
    {OperationId::BatchListSchedulingPolicies, Service::Batch, "ListSchedulingPolicies", "POST", "/v1/listschedulingpolicies", BatchListSchedulingPoliciesRequest, BatchListSchedulingPoliciesResponse},
    {OperationId::BatchListServiceJobs, Service::Batch, "ListServiceJobs", "POST", "/v1/listservicejobs", BatchListServiceJobsRequest, BatchListServiceJobsResponse},
    {OperationId::BatchRegisterJobDefinition, Service::Batch, "RegisterJobDefinition", "POST", "/v1/registerjobdefinition", BatchRegisterJobDefinitionRequest, BatchRegisterJobDefinitionResponse},
    {OperationId::BatchSubmitJob, Service::Batch, "SubmitJob", "POST", "/v1/submitjob", BatchSubmitJobRequest, BatchSubmitJobResponse},
    {OperationId::BatchSubmitServiceJob, Service::Batch, "SubmitServiceJob", "POST", "/v1/submitservicejob", BatchSubmitServiceJobRequest, BatchSubmitServiceJobResponse},
    {OperationId::BatchListTagsForResource, Service::Batch, "ListTagsForResource", "GET", "/v1/tags/{resourceArn}", BatchListTagsForResourceRequest, BatchListTagsForResourceResponse},
    {OperationId::BatchTagResource, Service::Batch, "TagResource", "POST", "/v1/tags/{resourceArn}", BatchTagResourceRequest, BatchTagResourceResponse},
    {OperationId::BatchUntagResource, Service::Batch, "UntagResource", "DELETE", "/v1/tags/{resourceArn}", BatchUntagResourceRequest, BatchUntagResourceResponse},
    {OperationId::BatchTerminateJob, Service::Batch, "TerminateJob", "POST", "/v1/terminatejob", BatchTerminateJobRequest, BatchTerminateJobResponse},
    {OperationId::BatchTerminateServiceJob, Service::Batch, "TerminateServiceJob", "POST", "/v1/terminateservicejob", BatchTerminateServiceJobRequest, BatchTerminateServiceJobResponse},
    {OperationId::BatchUpdateComputeEnvironment, Service::Batch, "UpdateComputeEnvironment", "POST", "/v1/updatecomputeenvironment", BatchUpdateComputeEnvironmentRequest, BatchUpdateComputeEnvironmentResponse},
    {OperationId::BatchUpdateConsumableResource, Service::Batch, "UpdateConsumableResource", "POST", "/v1/updateconsumableresource", BatchUpdateConsumableResourceRequest, BatchUpdateConsumableResourceResponse},
    {OperationId::BatchUpdateJobQueue, Service::Batch, "UpdateJobQueue", "POST", "/v1/updatejobqueue", BatchUpdateJobQueueRequest, BatchUpdateJobQueueResponse},
    {OperationId::BatchUpdateQuotaShare, Service::Batch, "UpdateQuotaShare", "POST", "/v1/updatequotashare", BatchUpdateQuotaShareRequest, BatchUpdateQuotaShareResponse},
    {OperationId::BatchUpdateSchedulingPolicy, Service::Batch, "UpdateSchedulingPolicy", "POST", "/v1/updateschedulingpolicy", BatchUpdateSchedulingPolicyRequest, BatchUpdateSchedulingPolicyResponse},
    {OperationId::BatchUpdateServiceEnvironment, Service::Batch, "UpdateServiceEnvironment", "POST", "/v1/updateserviceenvironment", BatchUpdateServiceEnvironmentRequest, BatchUpdateServiceEnvironmentResponse},
    {OperationId::BatchUpdateServiceJob, Service::Batch, "UpdateServiceJob", "POST", "/v1/updateservicejob", BatchUpdateServiceJobRequest, BatchUpdateServiceJobResponse},
    {OperationId::LogsDescribeLogGroups, Service::Logs, "DescribeLogGroups", "POST", "/", LogsDescribeLogGroupsRequest, LogsDescribeLogGroupsResponse},
    {OperationId::LogsDescribeLogStreams, Service::Logs, "DescribeLogStreams", "POST", "/", LogsDescribeLogStreamsRequest, LogsDescribeLogStreamsResponse},
    {OperationId::LogsFilterLogEvents, Service::Logs, "FilterLogEvents", "POST", "/", LogsFilterLogEventsRequest, LogsFilterLogEventsResponse},
    {OperationId::LogsGetLogEvents, Service::Logs, "GetLogEvents", "POST", "/", LogsGetLogEventsRequest, LogsGetLogEventsResponse},
    {OperationId::LogsListLogGroups, Service::Logs, "ListLogGroups", "POST", "/", LogsListLogGroupsRequest, LogsListLogGroupsResponse},
    {OperationId::LogsListTagsForResource, Service::Logs, "ListTagsForResource", "POST", "/", LogsListTagsForResourceRequest, LogsListTagsForResourceResponse},
    {OperationId::LogsListTagsLogGroup, Service::Logs, "ListTagsLogGroup", "POST", "/", LogsListTagsLogGroupRequest, LogsListTagsLogGroupResponse},
    {OperationId::LogsStartLiveTail, Service::Logs, "StartLiveTail", "POST", "/", LogsStartLiveTailRequest, LogsStartLiveTailResponse},
    {OperationId::StatesCreateActivity, Service::States, "CreateActivity", "POST", "/", StatesCreateActivityInput, StatesCreateActivityOutput},
    {OperationId::StatesCreateStateMachine, Service::States, "CreateStateMachine", "POST", "/", StatesCreateStateMachineInput, StatesCreateStateMachineOutput},
    {OperationId::StatesCreateStateMachineAlias, Service::States, "CreateStateMachineAlias", "POST", "/", StatesCreateStateMachineAliasInput, StatesCreateStateMachineAliasOutput},
    {OperationId::StatesDeleteActivity, Service::States, "DeleteActivity", "POST", "/", StatesDeleteActivityInput, StatesDeleteActivityOutput},
    {OperationId::StatesDeleteStateMachine, Service::States, "DeleteStateMachine", "POST", "/", StatesDeleteStateMachineInput, StatesDeleteStateMachineOutput},
    {OperationId::StatesDeleteStateMachineAlias, Service::States, "DeleteStateMachineAlias", "POST", "/", StatesDeleteStateMachineAliasInput, StatesDeleteStateMachineAliasOutput},
    {OperationId::StatesDeleteStateMachineVersion, Service::States, "DeleteStateMachineVersion", "POST", "/", StatesDeleteStateMachineVersionInput, StatesDeleteStateMachineVersionOutput},
    {OperationId::StatesDescribeActivity, Service::States, "DescribeActivity", "POST", "/", StatesDescribeActivityInput, StatesDescribeActivityOutput},
    {OperationId::StatesDescribeExecution, Service::States, "DescribeExecution", "POST", "/", StatesDescribeExecutionInput, StatesDescribeExecutionOutput},
    {OperationId::StatesDescribeMapRun, Service::States, "DescribeMapRun", "POST", "/", StatesDescribeMapRunInput, StatesDescribeMapRunOutput},
    {OperationId::StatesDescribeStateMachine, Service::States, "DescribeStateMachine", "POST", "/", StatesDescribeStateMachineInput, StatesDescribeStateMachineOutput},
    {OperationId::StatesDescribeStateMachineAlias, Service::States, "DescribeStateMachineAlias", "POST", "/", StatesDescribeStateMachineAliasInput, StatesDescribeStateMachineAliasOutput},
    {OperationId::StatesDescribeStateMachineForExecution, Service::States, "DescribeStateMachineForExecution", "POST", "/", StatesDescribeStateMachineForExecutionInput, StatesDescribeStateMachineForExecutionOutput},
    {OperationId::StatesGetActivityTask, Service::States, "GetActivityTask", "POST", "/", StatesGetActivityTaskInput, StatesGetActivityTaskOutput},
    {OperationId::StatesGetExecutionHistory, Service::States, "GetExecutionHistory", "POST", "/", StatesGetExecutionHistoryInput, StatesGetExecutionHistoryOutput},
    {OperationId::StatesListActivities, Service::States, "ListActivities", "POST", "/", StatesListActivitiesInput, StatesListActivitiesOutput},
    {OperationId::StatesListExecutions, Service::States, "ListExecutions", "POST", "/", StatesListExecutionsInput, StatesListExecutionsOutput},
    {OperationId::StatesListMapRuns, Service::States, "ListMapRuns", "POST", "/", StatesListMapRunsInput, StatesListMapRunsOutput},
    {OperationId::StatesListStateMachineAliases, Service::States, "ListStateMachineAliases", "POST", "/", StatesListStateMachineAliasesInput, StatesListStateMachineAliasesOutput},
    {OperationId::StatesListStateMachineVersions, Service::States, "ListStateMachineVersions", "POST", "/", StatesListStateMachineVersionsInput, StatesListStateMachineVersionsOutput},
    {OperationId::StatesListStateMachines, Service::States, "ListStateMachines", "POST", "/", StatesListStateMachinesInput, StatesListStateMachinesOutput},
    {OperationId::StatesListTagsForResource, Service::States, "ListTagsForResource", "POST", "/", StatesListTagsForResourceInput, StatesListTagsForResourceOutput},
    {OperationId::StatesPublishStateMachineVersion, Service::States, "PublishStateMachineVersion", "POST", "/", StatesPublishStateMachineVersionInput, StatesPublishStateMachineVersionOutput},
    {OperationId::StatesRedriveExecution, Service::States, "RedriveExecution", "POST", "/", StatesRedriveExecutionInput, StatesRedriveExecutionOutput},
    {OperationId::StatesSendTaskFailure, Service::States, "SendTaskFailure", "POST", "/", StatesSendTaskFailureInput, StatesSendTaskFailureOutput},
    {OperationId::StatesSendTaskHeartbeat, Service::States, "SendTaskHeartbeat", "POST", "/", StatesSendTaskHeartbeatInput, StatesSendTaskHeartbeatOutput},
    {OperationId::StatesSendTaskSuccess, Service::States, "SendTaskSuccess", "POST", "/", StatesSendTaskSuccessInput, StatesSendTaskSuccessOutput},
    {OperationId::StatesStartExecution, Service::States, "StartExecution", "POST", "/", StatesStartExecutionInput, StatesStartExecutionOutput},
    {OperationId::StatesStartSyncExecution, Service::States, "StartSyncExecution", "POST", "/", StatesStartSyncExecutionInput, StatesStartSyncExecutionOutput},
    {OperationId::StatesStopExecution, Service::States, "StopExecution", "POST", "/", StatesStopExecutionInput, StatesStopExecutionOutput},
    {OperationId::StatesTagResource, Service::States, "TagResource", "POST", "/", StatesTagResourceInput, StatesTagResourceOutput},
    {OperationId::StatesTestState, Service::States, "TestState", "POST", "/", StatesTestStateInput, StatesTestStateOutput},
    {OperationId::StatesUntagResource, Service::States, "UntagResource", "POST", "/", StatesUntagResourceInput, StatesUntagResourceOutput},
    {OperationId::StatesUpdateMapRun, Service::States, "UpdateMapRun", "POST", "/", StatesUpdateMapRunInput, StatesUpdateMapRunOutput},
    {OperationId::StatesUpdateStateMachine, Service::States, "UpdateStateMachine", "POST", "/", StatesUpdateStateMachineInput, StatesUpdateStateMachineOutput},
    {OperationId::StatesUpdateStateMachineAlias, Service::States, "UpdateStateMachineAlias", "POST", "/", StatesUpdateStateMachineAliasInput, StatesUpdateStateMachineAliasOutput},
    {OperationId::StatesValidateStateMachineDefinition, Service::States, "ValidateStateMachineDefinition", "POST", "/", StatesValidateStateMachineDefinitionInput, StatesValidateStateMachineDefinitionOutput},
    {OperationId::StokerExplain, Service::Stoker, "Explain", "POST", "/stoker/v1/explain", StokerExplainRequest, StokerExplainResponse},
    {OperationId::StokerListAllExecutions, Service::Stoker, "ListAllExecutions", "POST", "/stoker/v1/listallexecutions", StokerListAllExecutionsRequest, StokerListAllExecutionsResponse},
    {OperationId::StokerListAllJobs, Service::Stoker, "ListAllJobs", "POST", "/stoker/v1/listalljobs", StokerListAllJobsRequest, StokerListAllJobsResponse},
    {OperationId::StokerListCosts, Service::Stoker, "ListCosts", "POST", "/stoker/v1/listcosts", StokerListCostsRequest, StokerListCostsResponse},
    {OperationId::StokerListNodes, Service::Stoker, "ListNodes", "POST", "/stoker/v1/listnodes", StokerListNodesRequest, StokerListNodesResponse},
    {OperationId::StokerListQueues, Service::Stoker, "ListQueues", "POST", "/stoker/v1/listqueues", StokerListQueuesRequest, StokerListQueuesResponse},
    {OperationId::StokerUpdateJob, Service::Stoker, "UpdateJob", "POST", "/stoker/v1/updatejob", StokerUpdateJobRequest, StokerUpdateJobResponse},
};

}  // namespace

std::span<const Shape> shapes() { return kShapes; }
std::span<const Operation> operations() { return kOperations; }

}  // namespace stoker::aws

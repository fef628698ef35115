import { runService } from '@sevenfold/chassis/service';
import { variables } from './config';
import { contentService } from './service';

void runService(contentService, variables, process.env);
